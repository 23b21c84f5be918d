"""Erasure codes: XOR equations that are proved, and run as machine code.

    codec = xorloom.Codec("cauchy-good:k=10,m=4,w=8")
    chunks = codec.split(data)          # 14 bytearrays, any ten of which are enough
    codec.decode(chunks, [2, 5, 11])    # rebuilds three of them in place
    data = codec.join(chunks, len(data))

Buffers may be bytearrays, memoryviews, numpy arrays or any other objects whose bytes follow one
another in memory. None of them is copied. Other Python threads run during a call.
"""

from ._core import (
    Codec,
    Equations,
    Error,
    Plan,
    __version__,
    equations,
    families,
    optimize,
)

__all__ = [
    "Codec",
    "Equations",
    "Error",
    "Plan",
    "__version__",
    "costs",
    "equations",
    "families",
    "optimize",
]


for _name in ("Codec", "Equations", "Error", "Plan"):
    globals()[_name].__module__ = "xorloom"


def costs(*specs, effort="normal", erased=()):
    """What direct and iterative equations of codes cost: a dict per code and style."""
    rows = []
    for spec in specs:
        for style in ("direct", "iterative"):
            made = equations(spec, style=style, effort=effort, erased=list(erased))
            rows.append(
                {
                    "spec": made.spec,
                    "style": style,
                    "xors": made.xors,
                    "longest_equation": made.longest_equation,
                    "temporaries": made.temporaries,
                    "longest_path": made.longest_path,
                    "critical_path": made.critical_path,
                }
            )
    return rows
