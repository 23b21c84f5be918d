#pragma once

#include <pybind11/pybind11.h>

namespace xorloom::python {

/// Adds report_json, from which the module's report() makes dicts.
void bind_report(pybind11::module_& module);

}  // namespace xorloom::python
