"""The District Archery Ceremony (仪礼·乡射礼) as a game."""

__version__ = "0.1.0"
