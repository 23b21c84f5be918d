#include "integrations/python/equations_binding.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/field/bitmatrix.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "runtime/store/best_equations.hpp"
#include "xorloom/xorloom.hpp"

namespace py = pybind11;

namespace xorloom::python {
namespace {

using Locations = std::vector<std::size_t>;

struct SearchWish {
  std::string effort;
  std::optional<double> seconds;
  std::uint64_t steps;
  std::uint64_t seed;
};

/// Shape: with seconds or steps the effort is max.
Search search_of(const SearchWish& wish) {
  Search search;
  search.seed = wish.seed;
  search.steps = wish.steps;
  if (wish.seconds || wish.steps != 0) {
    search.effort = Effort::kMax;
  } else if (wish.effort == "fast") {
    search.effort = Effort::kFast;
  } else if (wish.effort != "normal") {
    throw Error(Status::kInvalidArgument,
                fmt::format("effort = '{}' is not fast or normal", wish.effort));
  }
  if (wish.seconds) {
    if (!(*wish.seconds > 0 && *wish.seconds <= 1e9)) {
      throw Error(Status::kInvalidArgument,
                  fmt::format("seconds = {} is not more than 0 and at most 10^9", *wish.seconds));
    }
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(*wish.seconds));
    search.stop_requested = [end] { return Clock::now() >= end; };
  }
  return search;
}

/// The best equations that come with the library, if as much was spent on them; else the better of
/// them and of a search, which starts from them.
EquationFile searched(const StoreQuestion& question, const SearchWish& wish) {
  Search search = search_of(wish);
  SearchRecord spent{search.effort == Effort::kMax ? "max" : wish.effort, {}, {}, wish.seed};
  if (wish.steps != 0) spent.steps = wish.steps;
  if (wish.seconds) spent.seconds = static_cast<std::size_t>(*wish.seconds);
  std::optional<StoredEquations> stored = best_equations(Store(""), "", question);
  if (stored && are_enough(stored->file, spent, question)) return std::move(stored->file);
  if (stored && question.direct.is_xor() && stored->file.program.inputs == question.direct.inputs) {
    search.start = circuit_of(stored->file.program);
  }
  EquationFile found = proved_answer(question, optimize(question.direct, search));
  found.search = spent;
  if (!stored) return found;
  return better_of(std::move(stored->file), std::move(found), question);
}

EquationFile equations(const std::string& spec, const std::string& style, const Locations& erased,
                       const Locations& wanted, const Locations& updated, const SearchWish& wish) {
  const py::gil_scoped_release others_may_run;
  const Code code = make_code(spec, {});
  Request request;
  request.erased = erased;
  request.wanted = wanted;
  request.updated = updated;
  if (style == "direct") return proved_equations(code, direct_program(code, request), style);
  if (style != "iterative") {
    throw Error(Status::kInvalidArgument,
                fmt::format("style = '{}' is not direct or iterative", style));
  }
  return searched({&code, request, searched_program(code, request), 0}, wish);
}

BitMatrix matrix_of(const py::sequence& rows) {
  if (rows.empty()) throw Error(Status::kInvalidArgument, "the matrix has no rows");
  const std::size_t columns = py::len(rows[0]);
  BitMatrix matrix(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const py::sequence row = rows[i];
    if (row.size() != columns) {
      throw Error(Status::kInvalidArgument,
                  fmt::format("row {} of the matrix has {} entries, and row 0 has {}", i,
                              row.size(), columns));
    }
    for (std::size_t j = 0; j < columns; ++j) {
      const auto entry = py::cast<long>(py::int_(row[j]));
      if (entry != 0 && entry != 1) {
        throw Error(Status::kInvalidArgument,
                    fmt::format("the entry {} in row {} and column {} of the matrix is not 0 or 1",
                                entry, i, j));
      }
      if (entry == 1) matrix.flip(i, j);
    }
  }
  return matrix;
}

EquationFile optimized(const py::sequence& rows, const SearchWish& wish) {
  const BitMatrix matrix = matrix_of(rows);
  const py::gil_scoped_release others_may_run;
  return searched({nullptr, {}, direct_program(matrix), 0}, wish);
}

py::list list_of(const Program& program) {
  py::list equations;
  for (const Equation& equation : program.equations) {
    py::list operands;
    for (const Operand& operand : equation.operands) {
      if (program.is_xor()) {
        operands.append(operand.element);
      } else {
        operands.append(py::make_tuple(operand.coefficient, operand.element));
      }
    }
    equations.append(py::make_tuple(equation.target, operands));
  }
  return equations;
}

template <typename Value>
auto of_cost(Value Cost::*value) {
  return [value](const EquationFile& file) { return cost(file.program).*value; };
}

}  // namespace

void bind_equations(py::module_& module) {
  py::class_<EquationFile>(module, "Equations",
                           "XOR equations, proved to compute what they are for.")
      .def_property_readonly("xors", of_cost(&Cost::xors), "Two-input XORs of all equations.")
      .def_property_readonly("longest_equation", of_cost(&Cost::longest_equation),
                             "The most XORs in one equation.")
      .def_property_readonly("longest_path", of_cost(&Cost::longest_path),
                             "XORs of the longest chain if each equation runs as a whole.")
      .def_property_readonly("critical_path", of_cost(&Cost::critical_path),
                             "XORs of the longest chain in the best order.")
      .def_property_readonly("temporaries", of_cost(&Cost::temporaries),
                             "Values that are neither inputs nor outputs.")
      .def_property_readonly(
          "spec",
          [](const EquationFile& file) -> std::optional<std::string> {
            if (!file.code) return std::nullopt;
            return file.code->spec;
          },
          "The spec of the code; None for a bare matrix.")
      .def_property_readonly("style", [](const EquationFile& file) { return file.style; })
      .def_property_readonly(
          "inputs", [](const EquationFile& file) { return file.program.inputs; },
          "The elements that are only read.")
      .def_property_readonly(
          "outputs", [](const EquationFile& file) { return file.program.outputs; },
          "The elements that are asked for.")
      .def_property_readonly(
          "equations", [](const EquationFile& file) { return list_of(file.program); },
          "A pair per equation: its element, and the elements it XORs.")
      .def("to_json", &write_json, "The JSON of docs/equations.md.")
      .def("to_text", &write_text, "The form that people read.")
      .def_static(
          "from_text", [](const std::string& text) { return read_equations(text); },
          py::arg("text"), "Reads JSON or text, and proves it against the code that it names.")
      .def("__len__", [](const EquationFile& file) { return file.program.equations.size(); })
      .def("__eq__", [](const EquationFile& a, const EquationFile& b) { return a == b; })
      .def("__repr__", [](const EquationFile& file) {
        return fmt::format("<Equations of {}: {} XORs, {} temporaries>",
                           file.code ? file.code->spec : "a matrix", xors(file.program),
                           cost(file.program).temporaries);
      });
  module.def(
      "equations",
      [](const std::string& spec, const std::string& style, const Locations& erased,
         const Locations& wanted, const Locations& updated, const std::string& effort,
         std::optional<double> seconds, std::uint64_t steps, std::uint64_t seed) {
        return equations(spec, style, erased, wanted, updated, {effort, seconds, steps, seed});
      },
      py::arg("spec"), py::kw_only(), py::arg("style") = "iterative",
      py::arg("erased") = Locations{}, py::arg("wanted") = Locations{},
      py::arg("updated") = Locations{}, py::arg("effort") = "normal",
      py::arg("seconds") = py::none(), py::arg("steps") = 0, py::arg("seed") = 1,
      "Equations of a code: for encoding, for rebuilding erased locations, or for carrying a "
      "change of updated ones over to the redundancy. With seconds or steps, the search takes "
      "these.");
  module.def(
      "optimize",
      [](const py::sequence& matrix, const std::string& effort, std::optional<double> seconds,
         std::uint64_t steps, std::uint64_t seed) {
        return optimized(matrix, {effort, seconds, steps, seed});
      },
      py::arg("matrix"), py::kw_only(), py::arg("effort") = "normal",
      py::arg("seconds") = py::none(), py::arg("steps") = 0, py::arg("seed") = 1,
      "Equations of few XORs for a matrix of 0 and 1: a sequence of rows, or a numpy array.");
  module.def(
      "families",
      [] {
        std::vector<std::string> names;
        for (const Family* family : families()) names.emplace_back(family->name);
        return names;
      },
      "The names of the families of codes.");
}

}  // namespace xorloom::python
