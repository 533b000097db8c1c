"""What pages in Markdown show: their examples, and how much there is to read."""

import re


def code_blocks(page, language):
    """The texts of a page's fenced blocks in this language ("" for those that name none), in their order."""
    every = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    return [text for of_language, text in every if of_language == language]


def words_of_prose(page, is_written):
    """How many words people read: no code, no alt texts, no tables that commands write; in a template a loop once."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"!\[.*?\]\(.*?\)", "", text)
    text = re.sub(r"{{.*?}}", "0", re.sub(r"{%.*?%}", "", text))
    text = re.sub(r"<!-- (\w+): written by .*?<!-- end of \1 -->", "", text, flags=re.DOTALL)
    lines = [line for line in text.splitlines() if not (is_written and line.startswith("|"))]
    return len(re.findall(r"\w\S*", " ".join(lines)))
