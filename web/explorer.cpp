// Each answer is a document that the program writes, too, from the same functions.

#include "web/explorer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/document/code_document.hpp"
#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix_text.hpp"
#include "codes/spec.hpp"
#include "codes/text/closest.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "codes/tolerance.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/used_part.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/code_grids.hpp"
#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/drawing.hpp"
#include "gen/pictures/equations_svg.hpp"
#include "gen/pictures/grids_svg.hpp"
#include "gen/pictures/matrix_svg.hpp"
#include "gen/source/emit.hpp"
#include "web/live_search.hpp"

namespace xorloom::web {
namespace {

namespace reading = json_reading;

std::string text_or(const Json& question, std::string_view key, const char* otherwise) {
  const Json* const value = question.find(key);
  return value == nullptr ? otherwise : reading::text(*value, key);
}

std::size_t number_or(const Json& question, std::string_view key, std::size_t otherwise,
                      std::uint64_t most = reading::kMaxNumber) {
  const Json* const value = question.find(key);
  return value == nullptr ? otherwise : reading::number(*value, key, most);
}

std::vector<std::size_t> list_or_none(const Json& question, std::string_view key) {
  const Json* const value = question.find(key);
  if (value == nullptr) return {};
  const std::vector<std::uint32_t> numbers = reading::numbers(*value, key);
  return {numbers.begin(), numbers.end()};
}

bool is_svg(const Json& question) { return text_or(question, "format", "json") == "svg"; }

std::string spec_of(const Json& question) {
  return reading::text(reading::member(question, "code"), "code");
}

std::string pasted(const Json& question) {
  std::string text = reading::text(reading::member(question, "text"), "text");
  if (text.size() > kMaxPasted) {
    fail(Status::kInvalidArgument, "the text has {} bytes, and this page reads at most {}",
         text.size(), kMaxPasted);
  }
  return text;
}

/// Throws kInvalidArgument if a number in a spec is larger than this page takes.
void check_numbers(const Spec& spec) {
  for (const auto& [key, value] : spec.values()) {
    std::size_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    const bool is_huge = error == std::errc::result_out_of_range;
    if (key == "packet_bytes" || rest != end || (!is_huge && number <= kMaxPageNumber)) continue;
    fail(Status::kInvalidArgument, "{} = {} exceeds {}, the bound of this page", key,
         excerpt(value, 20), kMaxPageNumber);
  }
}

/// Throws kInvalidArgument if the page has no such family. It has no files.
void check_family(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Family* family : families()) {
    if (family->name != "file") names.push_back(family->name);
  }
  if (std::ranges::find(names, name) != names.end()) return;
  const std::string meant = did_you_mean(name, names);
  fail(Status::kInvalidArgument, "this page has no family '{}'{}", excerpt(name),
       meant.empty() ? fmt::format("; it has {}", fmt::join(names, ", ")) : meant);
}

Code code_of(const Json& question) {
  const std::string text = spec_of(question);
  const SpecLimits limits{.opens_files = false, .number = kMaxPageNumber};
  const Spec spec(text, limits);
  check_family(spec.family());
  check_numbers(spec);
  return make_code(text, {.limits = limits});
}

Request request_of(const Json& question) {
  Request request;
  request.erased = list_or_none(question, "erase");
  request.wanted = list_or_none(question, "want");
  request.updated = list_or_none(question, "update");
  request.reads_least = text_or(question, "reads", "any") == "min";
  const std::string effort = text_or(question, "effort", "normal");
  request.read_work = kUsualReadWork << (effort == "fast" ? 0 : effort == "max" ? 9 : 5);
  return request;
}

/// The effort that `question` asks for, which `record` keeps.
Search search_of(const Json& question, SearchRecord& record) {
  Search search;
  record.effort = text_or(question, "effort", "normal");
  search.effort = record.effort == "fast"  ? Effort::kFast
                  : record.effort == "max" ? Effort::kMax
                                           : Effort::kNormal;
  if (question.contains("tries")) {
    record.steps = number_or(question, "tries", 0, std::uint64_t{1} << 31);
    search.steps = *record.steps;
  }
  record.seed = number_or(question, "seed", 1);
  search.seed = record.seed;
  return search;
}

/// Iterative equations for what `direct` computes, with a plan if `question` gives cores.
EquationFile searched(const Json& question, const Code* code, const Program& direct,
                      const Listener& listener) {
  SearchRecord record;
  Search search = search_of(question, record);
  LiveSearch live(listener, code, direct);
  live.follow(search);
  const std::size_t cores = number_or(question, "cores", 0);
  EquationFile file;
  if (cores == 0) {
    file = proved(code, direct, optimize(direct, search));
  } else {
    TailoredProgram tailored = tailor_to_cores(direct, cores, search);
    file = proved(code, direct, std::move(tailored.program));
    set_plan(file, std::move(tailored.plan));
  }
  file.search = record;
  return file;
}

void plan_on_cores(const Json& question, EquationFile& file) {
  const std::size_t cores = number_or(question, "cores", 0);
  if (cores != 0) set_plan(file, schedule_on_cores(file.program, cores));
}

std::string document(const Json& question, const EquationFile& file) {
  const std::string format = text_or(question, "format", "json");
  if (format == "svg") return svg_page(draw_with_plan(file));
  return format == "text" ? write_text(file) : write_json(file);
}

std::string equations(const Json& question, const Listener& listener) {
  const Code code = code_of(question);
  const Request request = request_of(question);
  EquationFile file;
  if (text_or(question, "style", "direct") == "direct") {
    file = proved_equations(code, direct_program(code, request), "direct");
    plan_on_cores(question, file);
  } else {
    file = searched(question, &code, searched_program(code, request), listener);
  }
  if (!request.erased.empty()) file.reads = repair_reads(code, request, file.program);
  return document(question, file);
}

std::string optimized(const Json& question, const Listener& listener) {
  const BitMatrix matrix = read_bitmatrix(pasted(question));
  const UsedPart part(matrix);
  EquationFile file = searched(question, nullptr, direct_program(part.matrix()), listener);
  set_whole(file, part, matrix);
  return document(question, file);
}

/// Equations in the text of a question, proved against the code that they or the question name.
EquationFile given_equations(const Json& question) {
  std::optional<Code> code;
  if (question.contains("code")) code = code_of(question);
  EquationFile file = read_equations(pasted(question), code ? &*code : nullptr);
  // Packets change how a code lies in memory, not its equations.
  const auto without_packets = [](const std::string& spec) {
    return spec.substr(0, spec.find(",packet_bytes="));
  };
  if (code && without_packets(file.code->spec) != without_packets(code->spec)) {
    fail(Status::kInvalidArgument, "the equations are those of {}, not of {}", file.code->spec,
         code->spec);
  }
  return file;
}

std::string given(const Json& question) {
  EquationFile file = given_equations(question);
  plan_on_cores(question, file);
  return document(question, file);
}

std::string family_list() {
  Json list = Json::array();
  for (const Family* family : families()) {
    list.push_back({{"name", family->name},
                    {"keys", family->keys},
                    {"bounds", family->constraint},
                    {"summary", family->summary},
                    {"source", family->source},
                    {"example", family->example}});
  }
  return list.dump();
}

std::string description(const Json& question) {
  const Code code = code_of(question);
  if (is_svg(question)) return svg_page(draw_code(code));
  return cli::code_json(code, decide_tolerance(code, code.promised_losses));
}

/// The most that pictures have.
std::string picture_bounds() {
  return Json{{"graph_operands", kMostGraphOperands}, {"graph_nodes", kMostGraphNodes},
              {"plan_xors", kMostGanttSteps},         {"matrix_side", kMostMatrixSide},
              {"grid_columns", kMostGridColumns},     {"grid_rows", kMostGridRows}}
      .dump();
}

/// Unit of the source that is written for a code: "bits" or "symbols"; empty if none is written.
const char* source_over(const Code& code) {
  if (over_of(code) == Over::kBits) return "bits";
  return code.plane_bytes == 0 ? "symbols" : "";
}

/// The bitmatrix as the columns of ones of each row, and the lower bound on the XORs of equations.
/// Symbols are in powers of x, or in another basis. If the code has too many XORs for equations,
/// the answer has neither: "unwritten" says why.
std::string matrix(const Json& question) {
  const Code code = code_of(question);
  std::optional<Program> direct;
  std::string unwritten;
  try {
    direct = direct_encoding(code);
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported || is_svg(question)) throw;
    unwritten = error.what();
  }
  if (is_svg(question)) return svg_page(draw_matrix(*direct));
  Json about{{"code", code.spec},
             {"locations", code.locations},
             {"rows_of_location", code.rows()},
             {"symbol_bits", code.field.w()},
             {"is_in_powers", code.field.basis().empty()},
             {"source_over", source_over(code)},
             {"inputs", direct ? direct->inputs : elements_of(code, code.data)},
             {"outputs", direct ? direct->outputs : elements_of(code, code.redundant)}};
  if (!direct) {
    about["unwritten"] = unwritten;
    return about.dump();
  }
  const BitMatrix bits = bitmatrix(code);
  Json rows = Json::array();
  for (std::size_t row = 0; row < bits.rows(); ++row) rows.push_back(bits.ones(row));
  about["rows"] = rows;
  about["bound"] = lower_bound(bits);
  return about.dump();
}

/// The note of a repair's picture: reads, cost, and whether less may be possible. The units that
/// can be read apart are called rows if they are rows of the code, else cells.
std::string reads_note(const Code& code, const RepairReads& reads) {
  const char* const cell = readable(code).subchunks == code.rows() ? "row" : "cell";
  const std::size_t least = *reads.least;
  return fmt::format("{} of {}: {:.2f} bytes read per byte rebuilt; {}", counted(reads.read, cell),
                     counted(reads.locations, "chunk"), reads.bytes_per_byte(),
                     least >= reads.read ? "no choice reads less"
                     : least == 0
                         ? "not proved to be the least possible"
                         : fmt::format("at least {} {} needed", least, least == 1 ? "is" : "are"));
}

/// The cells that a repair reads, which can be read apart, and the reads of k whole chunks.
std::string reads(const Json& question) {
  const Code code = code_of(question);
  const std::vector<std::size_t> lost = list_or_none(question, "erase");
  const Code cells = readable(code);
  const Reads found = fewest_reads(cells, {.lost = lost, .work = kUsualReadWork << 5});
  RepairReads counts = repair_reads(code.locations - lost.size(), cells.subchunks, found.map.inputs,
                                    lost.size() * cells.subchunks);
  counts.least = found.least;
  if (is_svg(question)) {
    return svg_page(draw_reads(std::vector<ReadsPicture>{{.title = spec_of(question),
                                                          .note = reads_note(code, counts),
                                                          .locations = cells.locations,
                                                          .cells = cells.subchunks,
                                                          .lost = lost,
                                                          .read = found.map.inputs}}));
  }
  return Json{{"locations", cells.locations},
              {"cells", cells.subchunks},
              {"lost", lost},
              {"read", found.map.inputs},
              {"read_locations", counts.locations},
              {"rebuilt", counts.rebuilt},
              {"bytes_per_byte", counts.bytes_per_byte()},
              {"full", cells.data.size()},
              {"least", *counts.least},
              {"is_fewest", found.is_fewest()}}
      .dump();
}

std::string source(const Json& question) {
  const Code code = code_of(question);
  std::vector<NamedProgram> programs;
  const auto add = [&](std::string name, Request request) {
    request.over = over_of(code);
    EquationFile file;
    if (text_or(question, "style", "direct") == "direct") {
      file = proved_equations(code, direct_program(code, request), "direct");
    } else {
      file = searched(question, &code, searched_program(code, request), {});
    }
    programs.push_back({std::move(name), std::move(file.program)});
  };
  if (question.contains("text")) {
    programs.push_back({"encode", given_equations(question).program});
  } else {
    add("encode", {});
  }
  std::vector<std::size_t> lost = list_or_none(question, "erase");
  std::ranges::sort(lost);
  if (!lost.empty()) {
    Request request = request_of(question);
    request.erased = lost;
    add(decoding_name(lost, {}), std::move(request));
  }
  return emit_source(code, programs, {.target = text_or(question, "target", "c")});
}

std::string bars(const Json& question) {
  BarChart chart;
  chart.title = text_or(question, "title", "");
  chart.value_title = text_or(question, "value_title", "");
  for (const Json& name : reading::array(reading::member(question, "categories"), "categories")) {
    chart.categories.push_back(reading::text(name, "categories"));
  }
  BarChart::Series series{"", {}};
  for (const Json& value : reading::array(reading::member(question, "values"), "values")) {
    series.values.push_back(value.is_null() ? std::nan("") : value.real());
  }
  series.at_most = list_or_none(question, "at_most");
  chart.inks = list_or_none(question, "inks");
  if (const Json* const meanings = question.find("meanings")) {
    for (const Json& one : reading::array(*meanings, "meanings")) {
      chart.meanings.push_back(reading::text(one, "meanings"));
    }
  }
  if (const Json* const holds = question.find("holds")) chart.holds = holds->real();
  chart.series.push_back(std::move(series));
  chart.size = ChartSize::kSmall;
  chart.has_ink_by_category = true;
  chart.has_two_decimals = question.contains("decimals");
  return svg_page(draw_bars(chart));
}

std::string answered(const Json& question, const Listener& listener) {
  const std::string what = reading::text(reading::member(question, "ask"), "ask");
  if (what == "families") return family_list();
  if (what == "bounds") return picture_bounds();
  if (what == "code") return description(question);
  if (what == "matrix") return matrix(question);
  if (what == "equations") return equations(question, listener);
  if (what == "optimize") return optimized(question, listener);
  if (what == "given") return given(question);
  if (what == "reads") return reads(question);
  if (what == "source") return source(question);
  if (what == "bars") return bars(question);
  fail(Status::kInvalidArgument, "'{}' is no question", excerpt(what));
}

/// A sentence of the library without the option that it recommends at its end: the page has none.
std::string without_option(const std::string& sentence) {
  return sentence.substr(0, sentence.find("; option "));
}

}  // namespace

Answer answer(std::string_view question, const Listener& listener) {
  try {
    return {Status::kOk, answered(Json::parse(question), listener)};
  } catch (const Error& error) {
    return {error.kind(), without_option(error.what())};
  } catch (const std::bad_alloc&) {
    return {Status::kUnsupported,
            "this takes more memory than the page has: choose a smaller code, or let the program "
            "do it"};
  }
}

}  // namespace xorloom::web
