#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/source/dialect.hpp"
#include "gen/text/wrap.hpp"

// Words: sums of products, in loops over the vectors of a sub-chunk, in each form of
// word_forms.hpp.

namespace xorloom {
namespace {

constexpr std::size_t kLeastVectorBytes = 8;  ///< narrowest vectors of the portable form

/// Bytes of the widest vectors of a form; 0 if even the narrowest leave no room on the stack for
/// kept temporaries. The portable form also has copies of all cells there, in which it computes
/// short sub-chunks.
std::size_t vector_bytes(const SourceFile& file, const WordForm& form) {
  const std::size_t on_stack =
      std::max(file.most_slots(),
               form.is_portable() ? file.num_chunks() * file.code.subchunks : std::size_t{0});
  for (std::size_t bytes = form.vector_bytes; bytes >= kLeastVectorBytes; bytes /= 2) {
    if (on_stack * bytes <= kMaxKeptBytes) return bytes;
    if (!form.is_portable()) break;
  }
  return 0;
}

/// Forms of a file besides the portable one, which comes first.
std::vector<WordForm> vector_forms(const SourceFile& file) {
  std::vector<WordForm> forms(kWordForms.begin() + 1, kWordForms.end());
  std::erase_if(forms, [&](const WordForm& form) { return vector_bytes(file, form) == 0; });
  return forms;
}

std::size_t word_part_operands(const Code& code, std::size_t asked) {
  // In the portable form a product is a sum of about w/2 terms.
  return std::max<std::size_t>(1, 2 * asked / code.field.w());
}

void check_size(const SourceFile& file) {
  if (vector_bytes(file, kWordForms.front()) == 0) {
    fail(Status::kUnsupported,
         "{} has {} cells, more than the {} of which generated source keeps copies on the stack",
         file.code.name(), file.num_chunks() * file.code.subchunks,
         kMaxKeptBytes / kLeastVectorBytes);
  }
  for (const SourceFunction& function : file.functions) {
    const std::size_t operands = num_operands(function.program);
    if (operands <= kMaxDirectXors) continue;
    fail(Status::kUnsupported, "{} has {} terms, more than the {} that are written as source",
         function.name, operands, kMaxDirectXors);
  }
}

std::string any_macro(const SourceFile& file) {
  std::string text;
  for (const WordForm& form : vector_forms(file)) {
    text += fmt::format("{}defined({})", text.empty() ? "" : " || ", form.macro);
  }
  return text;
}

std::string word_open(const SourceFile& file) {
  check_size(file);
  const std::string any = any_macro(file);
  if (any.empty()) return "";
  std::string text = "#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))\n";
  for (const WordForm& form : vector_forms(file)) {
    text += fmt::format(
        "#if !defined(XL_FORM) || XL_FORM == {}\n#define {} __attribute__((target(\"{}\")))\n"
        "#endif\n",
        form.number, form.macro, form.features);
  }
  return text +
         fmt::format("#endif\n#if {}\n#include <cpuid.h>\n#include <immintrin.h>\n#endif\n\n", any);
}

/// Defines the functions of the parts of a program in a form, and the loop that calls them.
std::string define_program(const SourceFile& file, const SourceFunction& function,
                           const WordForm& form, const LineConstants& constants) {
  std::string text = define_parts(file, function, &form, constants);
  text += wrap(fmt::format("{}{}void {}{}(", form.target(), file.language.function, function.name,
                           form.suffix),
               {"uint8_t *const chunks[],", "size_t sub) {"}, "    ") +
          "\n";
  if (function.split.slots != 0) {
    text += fmt::format("  {} kept[{}];\n", form.words.vec, function.split.slots);
  }
  return text + fmt::format(
                    "  const size_t last = sub - sizeof({0});\n"
                    "  for (size_t at = 0; at < sub; at += sizeof({0})) {{\n"
                    "{1}"
                    "  }}\n"
                    "}}\n\n",
                    form.words.vec, call_parts(function, &form, "at < last ? at : last", "    "));
}

/// Defines all programs in a form.
std::string define_all(const SourceFile& file, const WordForm& form) {
  std::set<Field::Symbol> coefficients;
  for (const SourceFunction& function : file.functions) {
    coefficients.merge(factors_of(function.program));
  }
  const std::string arrays =
      form.is_portable() ? "" : write_constants(form, file.code.field, coefficients, file.language);
  const LineConstants constants = read_constants(form, file.code.field, arrays);
  std::string text = define_form(form, file.code.field, file.language, vector_bytes(file, form),
                                 !coefficients.empty()) +
                     arrays;
  for (const SourceFunction& function : file.functions) {
    text += define_program(file, function, form, constants);
  }
  return form.is_portable() ? text : fmt::format("#ifdef {}\n\n{}#endif\n\n", form.macro, text);
}

/// Defines the function that computes sub-chunks which are shorter than a vector of the portable
/// form.
std::string define_copies(const SourceFile& file) {
  return fmt::format(
      "// Computes sub-chunks shorter than a vector in copies, which zeros fill up.\n"
      "{0}void in_copies(void (*compute)(uint8_t *const chunks[], size_t sub),\n"
      "    uint8_t *const chunks[], size_t sub, const uint32_t *in, size_t num_in,\n"
      "    const uint32_t *out, size_t num_out) {{\n"
      "  vec cells[num_chunks * num_subchunks];\n"
      "  uint8_t *copies[num_chunks];\n"
      "  {1}memset(cells, 0, sizeof cells);\n"
      "  for (size_t i = 0; i < num_chunks; ++i) {{\n"
      "    copies[i] = (uint8_t *)(cells + i * num_subchunks);\n"
      "  }}\n"
      "  for (size_t i = 0; i < num_in; ++i) {{\n"
      "    const uint8_t *chunk = chunks[in[i] / num_subchunks];\n"
      "    {1}memcpy(cells + in[i], chunk + in[i] % num_subchunks * sub, sub);\n"
      "  }}\n"
      "  compute(copies, sizeof(vec));\n"
      "  for (size_t i = 0; i < num_out; ++i) {{\n"
      "    uint8_t *chunk = chunks[out[i] / num_subchunks];\n"
      "    {1}memcpy(chunk + out[i] % num_subchunks * sub, cells + out[i], sub);\n"
      "  }}\n"
      "}}\n\n",
      file.language.function, file.language.std);
}

std::string word_define(const SourceFile& file) {
  const std::string std = file.language.std;
  std::string text = std.empty() ? "" : fmt::format("using {}uint32_t;\n\n", std);
  text += fmt::format("enum {{ num_chunks = {}, num_subchunks = {} }};\n\n", file.num_chunks(),
                      file.code.subchunks);
  text += define_separate(file);
  text +=
      "// In each form a function for the columns of a program computes one vector of\n"
      "// every sub-chunk, from byte `at` of it on; `sub` is the bytes of a sub-chunk.\n"
      "// The last vector ends with the sub-chunk and may cover bytes already done.\n\n";
  text += define_all(file, kWordForms.front());
  for (const WordForm& form : vector_forms(file)) text += define_all(file, form);
  text += define_copies(file);
  if (const std::string any = any_macro(file); !any.empty()) {
    text += fmt::format("#if {}\n\n{}#endif\n\n", any, define_choice(file.language));
  }
  return text;
}

/// The inputs that a program reads, ascending.
std::vector<Element> read_inputs(const Program& program) {
  std::set<Element> read;
  for (const Equation& equation : program.equations) {
    read.insert(equation.operands.begin(), equation.operands.end());
  }
  std::vector<Element> inputs = program.inputs;
  std::erase_if(inputs, [&](Element input) { return !read.contains(input); });
  std::ranges::sort(inputs);
  return inputs;
}

/// An array of cells. It has at least one, as languages require.
std::string cell_list(const char* name, const std::vector<Element>& cells) {
  std::vector<std::string> numbers;
  if (cells.empty()) numbers.emplace_back("0");
  for (const Element cell : cells) numbers.push_back(fmt::format("{}", cell));
  return wrap(fmt::format("    static const uint32_t {}[] = {{", name),
              list_words(numbers, ",", "};"), "        ") +
         "\n";
}

std::string word_enter(const SourceFile& file, const SourceFunction& function) {
  const std::size_t multiple = chunk_multiple(file.code);
  const std::size_t alpha = file.code.subchunks;
  std::string text;
  if (multiple > 1) text += fmt::format("  if (chunk_bytes % {} != 0) return 1;\n", multiple);
  text +=
      fmt::format("  const size_t sub = chunk_bytes{};\n", alpha == 1 ? "" : " / num_subchunks");
  text += "  if (sub == 0) return 0;\n";
  const std::vector<WordForm> forms = vector_forms(file);
  if (const std::string any = any_macro(file); !any.empty()) {
    text += fmt::format("#if {}\n  const int form = best_form();\n#endif\n", any);
  }
  for (auto form = forms.rbegin(); form != forms.rend(); ++form) {
    text += fmt::format(
        "#ifdef {}\n"
        "  if (form >= {} && sub >= sizeof({})) {{\n"
        "    {}{}(chunks, sub);\n"
        "    return 0;\n"
        "  }}\n"
        "#endif\n",
        form->macro, form->number, form->words.vec, function.name, form->suffix);
  }
  const std::string portable = function.name + kWordForms.front().suffix;
  const Program& program = function.program;
  const std::vector<Element> read = read_inputs(program);
  return text + "  if (sub >= sizeof(vec)) {\n" +
         fmt::format("    {}(chunks, sub);\n  }} else {{\n", portable) + cell_list("in", read) +
         cell_list("out", program.outputs) +
         wrap("    in_copies(",
              list_words({portable, "chunks", "sub", "in", fmt::format("{}", read.size()), "out",
                          fmt::format("{}", program.outputs.size())},
                         ",", ");"),
              "        ") +
         "\n  }\n  return 0;\n";
}

std::string word_close(const SourceFile& file) {
  std::string text;
  for (const WordForm& form : vector_forms(file)) text += fmt::format("#undef {}\n", form.macro);
  const bool follows_blank = *file.language.close == '\0';
  return (text.empty() || follows_blank ? "" : "\n") + text + undefine_separate(file);
}

}  // namespace

constexpr Dialect kWordDialect = {word_part_operands, word_open, word_define, word_enter,
                                  word_close};

}  // namespace xorloom
