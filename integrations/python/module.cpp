#include <pybind11/pybind11.h>

#include "integrations/python/codec_binding.hpp"
#include "integrations/python/equations_binding.hpp"
#include "integrations/python/report_binding.hpp"
#include "xorloom/xorloom.hpp"

namespace py = pybind11;

namespace {

/// Raises the Python exception xorloom.Error, with the sentence and the kind.
void raise(const py::object& type, const xorloom::Error& error) {
  const py::object exception = type(error.what());
  exception.attr("kind") = to_string(error.kind());
  PyErr_SetObject(type.ptr(), exception.ptr());
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "Erasure codes: XOR equations, proved and run as machine code.";
  module.attr("__version__") = xorloom::version();
  // The type lives as long as the interpreter.
  static py::handle type = py::exception<xorloom::Error>(module, "Error").release();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const xorloom::Error& error) {
      raise(py::reinterpret_borrow<py::object>(type), error);
    }
  });
  xorloom::python::bind_codec(module);
  xorloom::python::bind_equations(module);
  xorloom::python::bind_report(module);
}
