"""Checks whether an engine follows the protocol and the rules.

May import: no other folder.
Begin with: `check.check`, `conformance.conform`, `check_subject.Subject`.
"""
