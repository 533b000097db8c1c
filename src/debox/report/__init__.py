"""The report: one self-contained HTML file that tells what was run and what came out."""

from debox.report.tell import report as report

__all__ = ["report"]
