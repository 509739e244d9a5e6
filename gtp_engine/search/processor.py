"""Which instruction set the kernel uses: the fastest one, or what PATCHPIE_ISA asks for.

    plain    what every processor has; rules and search are `_kernel`, `_implo` ...
    v3       x86-64-v3: AVX2, BMI2 and FMA; rules and search are `_kernel_v3`, `_implo_v3` ...
    v3_vnni  the same, with AVX-VNNI for learned evaluations
    v4       x86-64-v4: AVX-512, for learned evaluations; the rest is as with v3
    v4_vnni  the same, with AVX-512 VNNI
    v4_amx   the same, with the tiles of Intel AMX, on Linux
    native   that of the machine, where the kernel was built with PATCHPIE_NATIVE; there is no other

The variable is for measurements: it forces the path of another processor. It is no setting, because
a process loads one kernel.
"""

import os
from types import ModuleType

VARIABLE = "PATCHPIE_ISA"


def isa_in_use(kernel: ModuleType) -> str:
    """The name of an instruction set that this build and this processor have.

    Raises ValueError if another one is wanted.
    """
    wanted, available = wanted_isa(), kernel.isas()
    if wanted and wanted not in available:
        raise ValueError(f"no {VARIABLE}={wanted!r} here, only {', '.join(available)}")
    return wanted or str(available[0])


def wanted_isa() -> str:
    """What the variable asks for, "" for the fastest one."""
    return os.environ.get(VARIABLE, "")
