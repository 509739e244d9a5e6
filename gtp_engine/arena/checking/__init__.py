"""Checks whether an engine follows the protocol.

May import: no other folder.
Begin with: `check.check`, `check_subject.Subject`, `check_subject.CheckItem`.
"""
