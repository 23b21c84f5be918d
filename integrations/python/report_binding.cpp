#include "integrations/python/report_binding.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/report/report.hpp"
#include "codes/families/families.hpp"
#include "codes/text/json.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/request/request.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "xorloom/xorloom.hpp"

namespace py = pybind11;

namespace xorloom::python {
namespace {

std::string json_of(std::vector<EquationFile> sets, const std::vector<std::size_t>& cores,
                    const std::vector<std::size_t>& erased) {
  const py::gil_scoped_release others_may_run;
  if (cores.empty()) throw Error(Status::kInvalidArgument, "cores names no number of cores");
  cli::Report report;
  report.erased = erased;
  report.caches = cache_sizes();
  for (EquationFile& file : sets) {
    if (!file.code) {
      throw Error(Status::kInvalidArgument, "equations of a bare matrix are not of a code");
    }
    CodeOptions accepted;
    accepted.allow_non_mds = true;  // they were accepted when the equations were made
    const Code code = make_code(file.code->spec, accepted);
    Request request;
    request.erased = erased;
    if (!file.program.is_xor() || cli::asked_instead(code, request, file.program)) {
      throw Error(Status::kInvalidArgument,
                  fmt::format("the equations of {} are not those of the chunks that erased names",
                              code.name()));
    }
    std::string style = file.style;
    report.sets.push_back(cli::report_set(std::move(style), std::move(file), code, request, cores));
  }
  return report_data(report).dump(2, Json::Strings::kReplaced) + "\n";
}

}  // namespace

void bind_report(py::module_& module) {
  module.def("report_json", &json_of, py::arg("sets"), py::arg("cores"), py::arg("erased"),
             "The JSON of `xorloom report` for sets of equations.");
}

}  // namespace xorloom::python
