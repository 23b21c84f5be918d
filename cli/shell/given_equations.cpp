#include "cli/shell/given_equations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/bits.hpp"
#include "codes/field/matrix_text.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "codes/text/text_file.hpp"

namespace xorloom::cli {
namespace {

/// Elements, ascending, that `program` must compute for all of `cells`: bits for a XOR program,
/// else symbols.
std::vector<Element> elements_computed(const Code& code, const Program& program,
                                       const std::vector<Cell>& cells) {
  std::vector<Element> elements(cells.begin(), cells.end());
  if (program.is_xor()) elements = elements_of(code, cells);
  std::ranges::sort(elements);
  return elements;
}

/// Describes a text that is no matrix, and names the option or command that takes it. "": the text
/// may be meant as a matrix.
std::string other_content(const std::string& text, const std::string& path) {
  const std::string_view plain = without_mark(text);
  const std::size_t begin = plain.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  if (holds_equations(text)) {
    return "equations, not a matrix: report and bench take them with --equations";
  }
  if (plain[begin] != '{') return "";
  const Json json = Json::parse(text);
  const Json* const member = json.find("format");
  const std::string format = member != nullptr && member->is_string() ? member->text() : "";
  if (format == "xorloom-code") return "a code, not a matrix: its spec is file:" + excerpt(path);
  if (format == "xorloom-report") return "a report, not a matrix: report --diff takes two";
  return format.empty() ? "JSON, not a matrix of 0s and 1s"
                        : fmt::format("JSON of format '{}', not a matrix", excerpt(format));
}

}  // namespace

bool holds_equations(std::string_view text) {
  text = without_mark(text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool is_json = begin != std::string_view::npos && text[begin] == '{';
  return text.find(is_json ? "\"xorloom-equations\"" : "XOR(") != std::string_view::npos;
}

void add_given_equations(Command& command, std::string& path, const std::string& what) {
  add_text(
      command, "--equations", "FILE", path,
      what +
          " the equations in FILE (text or JSON) instead of making some. They are for the "
          "code that FILE names, else for SPEC, and are proved first; packets are as SPEC says, "
          "if it is given");
  for (CommandOption& option : command.options) {
    if (option.names == "SPEC") option.stand_in = "-k,-m,-w,--equations";
  }
}

std::vector<EquationFile> equation_files(const std::string& path,
                                         const std::vector<const Code*>& codes) {
  return parsed(path, [&](const std::string& text) {
    std::optional<Error> first;
    for (const Code* const code : codes) {
      try {
        return read_equation_sets(text, code);
      } catch (const Error& error) {
        if (!first) first = error;
      }
    }
    if (first) throw Error(*first);
    return read_equation_sets(text, nullptr);
  });
}

BitMatrix read_matrix_file(const std::string& path) {
  return parsed(path, [&](const std::string& text) {
    try {
      return read_bitmatrix(text);
    } catch (const Error& error) {
      const std::string other =
          error.kind() == Status::kParse ? other_content(text, path) : std::string();
      if (other.empty()) throw;
      fail(Status::kParse, "it holds {}", other);
    }
  });
}

std::vector<EquationFile> given_sets(const std::string& path, const std::string& spec,
                                     const Options& options) {
  if (spec.empty()) {
    std::vector<EquationFile> files = equation_files(path, {});
    for (const EquationFile& file : files) {
      if (options.packet_bytes == 0) break;
      if (!file.code) {
        fail(Status::kInvalidArgument,
             "--packet-bytes is about a code, and {} names none: give its SPEC", input_name(path));
      }
      code_of(file.code->spec, options);  // throws if that says otherwise
    }
    return files;
  }
  const Code asked = code_of(spec, options);
  std::vector<EquationFile> files = equation_files(path, {&asked});
  // Packets change how a code lies in memory, not its equations.
  const auto without_packets = [](const std::string& full) {
    return full.substr(0, full.find(",packet_bytes="));
  };
  for (EquationFile& file : files) {
    if (without_packets(file.code->spec) != without_packets(asked.spec)) {
      fail(Status::kInvalidArgument, "{} has equations of {}, not of {}", input_name(path),
           file.code->spec, asked.spec);
    }
    file.code->spec = asked.spec;
  }
  return files;
}

GivenEquations given_equations(const std::string& path, const std::string& spec,
                               const Options& options) {
  std::vector<EquationFile> files = given_sets(path, spec, options);
  if (files.size() != 1) {
    fail(Status::kInvalidArgument,
         "{} has {} sets of equations, and one is needed: give a file of one of them",
         input_name(path), files.size());
  }
  std::optional<Code> code;
  if (!spec.empty() || files.front().code) {
    code = code_of(spec.empty() ? files.front().code->spec : spec, options);
  }
  return {std::move(code), std::move(files.front())};
}

GivenEquations runnable_equations(const std::string& path, const std::string& spec,
                                  const Options& options) {
  GivenEquations given = given_equations(path, spec, options);
  const std::string name = input_name(path);
  if (!given.code) {
    fail(Status::kInvalidArgument,
         fmt::format("{} does not say what code it is for: give its SPEC", name));
  }
  const bool is_on_packets = given.code->arrangement == Arrangement::kPacket;
  if (is_on_packets != given.file.program.is_xor()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} has equations over {}, but {} runs on {}", name,
                     is_on_packets ? "symbols" : "bits", given.code->name(),
                     is_on_packets ? "packets, which take bits" : "words, which take symbols"));
  }
  return given;
}

std::vector<std::size_t> locations_rebuilt(const Code& code, const Program& program,
                                           const std::string& path) {
  if (!program.virtuals.empty()) {
    fail(Status::kInvalidArgument,
         "{} has equations of an update, and those that encode or rebuild are needed: emit "
         "--update makes a function of an update",
         input_name(path));
  }
  std::vector<Element> computed = program.outputs;
  std::ranges::sort(computed);
  if (computed == elements_computed(code, program, code.redundant)) return {};
  std::vector<std::size_t> locations;
  std::vector<Cell> cells;
  for (const Element element : computed) {
    if (element < program.num_cells()) locations.push_back(element / program.rows);
  }
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  for (Cell cell = 0; cell < code.num_cells(); ++cell) {
    if (std::ranges::binary_search(locations, code.location_of_cell(cell))) cells.push_back(cell);
  }
  if (locations.empty() || computed != elements_computed(code, program, cells)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} computes {}, no whole locations of {}", input_name(path),
                     counted(computed.size(), "element"), code.name()));
  }
  return locations;
}

void refuse_with_equations(const Command& command, std::initializer_list<const char*> options) {
  for (const char* option : options) {
    if (takes(command, option) && is_given(command, option)) {
      fail(Status::kInvalidArgument,
           fmt::format("{} says how equations are made, and --equations gives them", option));
    }
  }
}

}  // namespace xorloom::cli
