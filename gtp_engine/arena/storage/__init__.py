"""The file of a match, and several such files read as one."""
