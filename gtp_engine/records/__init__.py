"""Games as SGF files, and loaded games as replay pages."""
