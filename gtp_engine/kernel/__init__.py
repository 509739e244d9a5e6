"""The compiled rules and search, where a C++20 compiler was there to build them.

Only search/backends/kernel.py imports the modules in here.
"""
