"""What pages in Markdown show: their examples."""

import re


def code_blocks(page, language):
    """The texts of a page's fenced blocks in this language ("" for those that name none), in their order."""
    every = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    return [text for of_language, text in every if of_language == language]
