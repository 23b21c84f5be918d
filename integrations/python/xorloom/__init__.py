"""Erasure codes: XOR equations that are proved, and run as machine code.

    codec = xorloom.Codec("cauchy-good:k=10,m=4,w=8")
    chunks = codec.split(data)          # 14 bytearrays, any ten of which are enough
    codec.decode(chunks, [2, 5, 11])    # rebuilds three of them in place
    data = codec.join(chunks, len(data))

Buffers may be bytearrays, memoryviews, numpy arrays or any other objects whose bytes follow one
another in memory. None of them is copied. Other Python threads run during a call.
"""

import json as _json

from ._core import (
    Codec,
    Equations,
    Error,
    ErrorLocation,
    Plan,
    __version__,
    equations,
    families,
    optimize,
    report_json as _report_json,
)

__all__ = [
    "Codec",
    "Equations",
    "Error",
    "ErrorLocation",
    "Plan",
    "__version__",
    "equations",
    "families",
    "optimize",
    "report",
]


for _name in ("Codec", "Equations", "Error", "ErrorLocation", "Plan"):
    globals()[_name].__module__ = "xorloom"


def report(*of, cores=(1,), erased=(), effort="normal"):
    """What sets of equations cost, as data: the dict that `xorloom report --format json` prints.

    Each argument is a spec, of which direct and iterative equations are compared, or Equations of
    yours. With `erased`, all of them rebuild these locations, else they encode. `cores` names numbers of
    cores for which steps and speedups are given."""
    if not of:
        raise ValueError("report() needs a spec or Equations")
    sets = []
    for given in of:
        if isinstance(given, Equations):
            sets.append(given)
            continue
        for style in ("direct", "iterative"):
            sets.append(equations(given, style=style, effort=effort, erased=list(erased)))
    return _json.loads(_report_json(sets, list(cores), list(erased)))
