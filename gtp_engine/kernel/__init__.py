"""The compiled rules and search, where a C++20 compiler was there to build them.

Only search/backends/kernel.py imports the modules in here.

May import: no other room.
Begin with: `README.md`, `api/interface.hpp`, `games/`.
"""

import os
import sys

# A checkout keeps what it compiles in its virtual environment, and its sources unchanged.
__path__.append(os.path.join(sys.prefix, "kernel"))
