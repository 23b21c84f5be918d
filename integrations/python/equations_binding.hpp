#pragma once

#include <pybind11/pybind11.h>

namespace xorloom::python {

/// Equations, and the functions that make them.
void bind_equations(pybind11::module_& module);

}  // namespace xorloom::python
