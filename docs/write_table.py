"""Write the table of operators into the README."""

import re
from pathlib import Path

from debox import registry

readme = Path(__file__).parents[1] / "README.md"
begin, end = r"(<!-- operators.*?-->\n)", r"(\n<!-- end of operators -->)"
text = readme.read_text()
readme.write_text(re.sub(f"{begin}.*?{end}", lambda m: m[1] + registry.markdown_table() + m[2], text, flags=re.DOTALL))
