#include "equations/files/equation_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "equations/ir/cost.hpp"
#include "xorloom/version.h"

namespace xorloom {
namespace {

using namespace json_reading;

constexpr const char* kFormat = "xorloom-equations";
constexpr const char* kFrontFormat = "xorloom-front";
constexpr std::size_t kVersion = 1;           ///< version of XOR programs and fronts
constexpr std::size_t kVersionWithField = 2;  ///< version of programs over symbols

Json code_json(const EquationFile& file) {
  if (!file.code) return nullptr;
  return {{"family", file.code->family},
          {"spec", file.code->spec},
          {"k", file.code->k},
          {"m", file.code->m},
          {"w", file.code->w}};
}

Json cost_json(const EquationFile& file) {
  const Cost c = cost(file.program);
  Json result{{"xors", c.xors}};
  if (!file.program.is_xor()) result["multiplications"] = c.multiplications;
  result["longest_equation"] = c.longest_equation;
  result["longest_path"] = c.longest_path;
  result["critical_path"] = c.critical_path;
  if (file.plan) {
    const std::string cores = fmt::format("{}", file.plan->cores);
    result["makespan"] = {{cores, file.plan_cost->makespan}};
    result["atomic_makespan"] = {{cores, file.plan_cost->atomic_makespan}};
    result["moves"] = {{cores, file.plan_cost->moves}};
  }
  result["temporaries"] = c.temporaries;
  return result;
}

using Kind = VirtualElement::Kind;

constexpr std::array<std::pair<Kind, const char*>, 3> kKinds{
    {{Kind::kDifference, "difference"}, {Kind::kOld, "old"}, {Kind::kUpdated, "updated"}}};

/// Inputs or outputs as JSON: a number for a cell, an object for a virtual element.
std::string sides_json(const Program& program, const std::vector<Element>& elements) {
  // Plain numbers are written without a Json each, since there may be millions.
  if (program.virtuals.empty()) return fmt::format("[{}]", fmt::join(elements, ","));
  Json result = Json::array();
  for (const Element element : elements) {
    if (const VirtualElement* about = program.virtual_element(element)) {
      const auto* const kind =
          std::ranges::find(kKinds, about->kind, &decltype(kKinds)::value_type::first);
      result.push_back({{"id", element}, {"kind", kind->second}, {"element", about->element}});
    } else {
      result.push_back(element);
    }
  }
  return result.dump();
}

/// {"target":15,"xor":[2,3]}, or over symbols {"target":10,"sum":[[1,0],[29,2]]}.
Json equation_json(const Program& program, const Equation& equation) {
  if (program.is_xor()) {
    const std::vector<Element> operands(equation.operands.begin(), equation.operands.end());
    return {{"target", equation.target}, {"xor", operands}};
  }
  Json terms = Json::array();
  for (const auto& [element, coefficient] : equation.operands) {
    terms.push_back(Json::array({coefficient, element}));
  }
  return {{"target", equation.target}, {"sum", terms}};
}

/// An array with one item per line, so that files can be read and compared by line.
template <typename Range, typename ItemJson>
std::string lines(const Range& items, const ItemJson& item_json) {
  std::string text = "[";
  const char* separator = "\n    ";
  for (const auto& item : items) {
    text += separator + item_json(item).dump();
    separator = ",\n    ";
  }
  return text + "\n  ]";
}

Element element(const Json& value, const char* what) {
  return static_cast<Element>(number(value, what));
}

/// Reads inputs and outputs, whose virtual elements are numbered together.
void read_sides(const Json& json, Program& program) {
  std::map<Element, VirtualElement> virtuals;
  const auto read = [&](const char* side, std::vector<Element>& list) {
    for (const Json& item : array(member(json, side), side)) {
      if (!item.is_object()) {
        list.push_back(element(item, side));
        continue;
      }
      const std::string name = text(member(item, "kind"), "kind");
      const auto* const kind =
          std::ranges::find(kKinds, name, &decltype(kKinds)::value_type::second);
      if (kind == kKinds.end()) {
        bad("kind '{}' is not difference, old or updated", excerpt(name));
      }
      list.push_back(element(member(item, "id"), "id"));
      const VirtualElement about{kind->first, element(member(item, "element"), "element")};
      if (!virtuals.emplace(list.back(), about).second) {
        bad("id {} is given twice", list.back());
      }
    }
  };
  read("inputs", program.inputs);
  read("outputs", program.outputs);
  const std::size_t first = program.locations * program.rows;
  for (const auto& [id, about] : virtuals) {
    if (id != first + program.virtuals.size()) {
      bad("id {} is not {}: ids follow one another from the number of cells, {}", id,
          first + program.virtuals.size(), first);
    }
    program.virtuals.push_back(about);
  }
}

Field field_of(const Json& value) {
  Field field{number(member(value, "w"), "w"), hexadecimal(member(value, "poly"), "poly")};
  const auto basis = value.find("basis");
  if (basis == nullptr) return field;
  return Field{field.w(), field.polynomial(), numbers(*basis, "basis")};
}

std::vector<Operand> operands_of(const Json& item, const Program& program) {
  std::vector<Operand> operands;
  if (program.is_xor()) {
    for (const Element operand : numbers(member(item, "xor"), "xor"))
      operands.emplace_back(operand);
    return operands;
  }
  for (const Json& term : array(member(item, "sum"), "sum")) {
    if (!term.is_array() || term.size() != 2) {
      bad("a term of equation {} is not [coefficient,element]", program.equations.size());
    }
    const std::size_t coefficient = number(term[0], "coefficient", program.field.size() - 1);
    operands.emplace_back(element(term[1], "element"), static_cast<Field::Symbol>(coefficient));
  }
  return operands;
}

Json reads_json(const RepairReads& reads) {
  Json json{{"cells", reads.read},
            {"of", reads.left},
            {"locations", reads.locations},
            {"rebuilt", reads.rebuilt},
            {"bytes_per_byte", reads.bytes_per_byte()}};
  if (reads.cost) json["cost"] = *reads.cost;
  if (reads.least) json["least"] = *reads.least;
  return json;
}

constexpr std::uint64_t kMostSpent = std::uint64_t{1} << 53;

RepairReads reads_of(const Json& value) {
  const auto count = [&](const char* key) { return number(member(value, key), key); };
  RepairReads reads{count("cells"), count("of"), count("locations"), count("rebuilt"), {}, {}};
  for (const auto& [key, bound] : {std::pair{"cost", &reads.cost}, {"least", &reads.least}}) {
    if (value.contains(key)) *bound = number(value[key], key, kMostSpent);
  }
  return reads;
}

SearchRecord search_of(const Json& value) {
  SearchRecord search;
  search.effort = text(member(value, "effort"), "effort");
  if (search.effort != "fast" && search.effort != "normal" && search.effort != "max") {
    bad("effort '{}' is not fast, normal or max", excerpt(search.effort));
  }
  if (value.contains("steps")) search.steps = number(value["steps"], "steps", kMostSpent);
  if (value.contains("seconds")) search.seconds = number(value["seconds"], "seconds", kMostSpent);
  search.seed = number(member(value, "seed"), "seed", kMostSpent);
  if (value.contains("depth")) search.depth = number(value["depth"], "depth", kMostSpent);
  return search;
}

CoreSchedule plan_of(const Json& value) {
  CoreSchedule plan;
  plan.cores = number(member(value, "cores"), "cores");
  for (const Json& item : array(member(value, "steps"), "steps")) {
    if (!item.is_array() || item.size() != 4 || !item[3].is_array() || item[3].size() != 2) {
      bad("step {} of the plan is not [core,step,target,[a,b]]", plan.steps.size());
    }
    plan.steps.push_back({number(item[0], "core"),
                          number(item[1], "step"),
                          element(item[2], "target"),
                          {element(item[3][0], "operand"), element(item[3][1], "operand")}});
  }
  return plan;
}

EquationFile file_of(const Json& json) {
  EquationFile file;
  if (const Json& code = member(json, "code"); !code.is_null()) {
    file.code =
        EquationFile::CodeName{text(member(code, "family"), "family"),
                               text(member(code, "spec"), "spec"), number(member(code, "k"), "k"),
                               number(member(code, "m"), "m"), number(member(code, "w"), "w")};
  }
  file.style = text(member(json, "style"), "style");
  if (file.style != "direct" && file.style != "iterative") {
    bad("style '{}' is not direct or iterative", excerpt(file.style));
  }
  Program& program = file.program;
  program.locations = number(member(json, "locations"), "locations");
  program.rows = number(member(json, "rows"), "rows");
  read_sides(json, program);
  if (const auto field = json.find("field"); field != nullptr) program.field = field_of(*field);
  for (const Json& item : array(member(json, "equations"), "equations")) {
    program.equations.push_back(
        {element(member(item, "target"), "target"), operands_of(item, program)});
  }
  if (const auto plan = json.find("plan"); plan != nullptr) file.plan = plan_of(*plan);
  if (const auto reads = json.find("reads"); reads != nullptr) file.reads = reads_of(*reads);
  if (const auto search = json.find("search"); search != nullptr) {
    file.search = search_of(*search);
  }
  return file;
}

/// Gates by inputs, {"2":12,"3":67,…}, with their price and depth.
Json gates_json(const GateCount& gates) {
  Json by_inputs(std::initializer_list<Json::Given>{});
  for (std::size_t inputs = 2; inputs < gates.by_inputs.size(); ++inputs) {
    if (gates.by_inputs[inputs] == 0) continue;
    by_inputs[fmt::format("{}", inputs)] = gates.by_inputs[inputs];
  }
  return {{"by_inputs", by_inputs},
          {"price", static_cast<double>(gates.price) / kPricesOfUnit},
          {"depth", gates.depth}};
}

}  // namespace

Json search_json(const SearchRecord& search) {
  Json json{{"effort", search.effort}};
  if (search.steps) json["steps"] = *search.steps;
  if (search.seconds) json["seconds"] = *search.seconds;
  json["seed"] = search.seed;
  if (search.depth != 0) json["depth"] = search.depth;
  return json;
}

std::string write_json(const EquationFile& file) {
  const Program& program = file.program;
  std::string text = "{\n";
  const auto field = [&](const char* key, const std::string& value, const char* end = ",") {
    text += fmt::format("  \"{}\": {}{}\n", key, value, end);
  };
  field("format", Json(kFormat).dump());
  field("version", Json(program.is_xor() ? kVersion : kVersionWithField).dump());
  field("program", Json("xorloom " XORLOOM_VERSION).dump());
  field("code", code_json(file).dump());
  field("style", Json(file.style).dump());
  if (!program.is_xor()) {
    Json about{{"w", program.field.w()},
               {"poly", fmt::format("{:#x}", program.field.polynomial())}};
    if (const auto basis = program.field.basis(); !basis.empty()) {
      about["basis"] = std::vector<Field::Symbol>(basis.begin(), basis.end());
    }
    field("field", about.dump());
  }
  field("locations", Json(program.locations).dump());
  field("rows", Json(program.rows).dump());
  field("inputs", sides_json(program, program.inputs));
  field("outputs", sides_json(program, program.outputs));
  field("equations", lines(program.equations, [&](const Equation& equation) {
          return equation_json(program, equation);
        }));
  if (file.plan) {
    field("plan", fmt::format("{{\"cores\":{},\"steps\":{}}}", file.plan->cores,
                              lines(file.plan->steps, [](const CoreStep& s) {
                                return Json::array({s.core, s.step, s.target, s.operands});
                              })));
  }
  field("cost", cost_json(file).dump());
  if (file.gates) field("gates", gates_json(*file.gates).dump());
  if (file.reads) field("reads", reads_json(*file.reads).dump());
  if (file.search) field("search", search_json(*file.search).dump());
  const Json proof = file.proved ? Json{{"method", "symbolic"}, {"holds", true}} : Json(nullptr);
  field("proof", proof.dump(), "");
  return text + "}\n";
}

std::string write_front_json(std::span<const EquationFile> front) {
  std::string text =
      fmt::format("{{\"format\":\"{}\",\"version\":{},\"front\":[\n", kFrontFormat, kVersion);
  const char* separator = "";
  for (const EquationFile& file : front) {
    text += separator;
    text += write_json(file);
    separator = ",";
  }
  return text + "]}\n";
}

std::vector<EquationFile> parse_json(std::string_view source) {
  const Json json = Json::parse(source);
  std::vector<EquationFile> files;
  if (text(member(json, "format"), "format") != kFrontFormat) {
    check_format(json, kFormat, kVersionWithField);
    files.push_back(file_of(json));
    return files;
  }
  check_format(json, kFrontFormat, kVersion);
  for (const Json& each : array(member(json, "front"), "front")) {
    check_format(each, kFormat, kVersionWithField);
    files.push_back(file_of(each));
  }
  if (files.empty()) bad("the front has no equations");
  return files;
}

}  // namespace xorloom
