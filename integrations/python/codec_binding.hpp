#pragma once

#include <pybind11/pybind11.h>

namespace xorloom::python {

/// Codec and Plan.
void bind_codec(pybind11::module_& module);

}  // namespace xorloom::python
