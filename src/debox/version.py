"""The version of debox."""

__version__ = "0.1.0"
