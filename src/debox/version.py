"""The version of debox, and the day of its release."""

__version__ = "0.1.0"
RELEASED = "2026-11-18"
