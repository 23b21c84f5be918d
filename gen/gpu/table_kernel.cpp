#include "gen/gpu/table_kernel.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "codes/text/error.hpp"
#include "gen/gpu/kernel_lines.hpp"
#include "gen/gpu/kernel_tables.hpp"
#include "gen/gpu/word_kernel.hpp"

namespace xorloom {
namespace {

void check_bounds(const Code& code, const KernelOptions& options, std::size_t bytes) {
  if (code.field.w() != 8) {
    fail(Status::kUnsupported,
         fmt::format("products are looked up for symbols of 8 bits, and {} has symbols of {}",
                     code.name(), code.field.w()));
  }
  if (options.tables == KernelTables::kShiftAndAdd && !code.field.basis().empty()) {
    fail(Status::kUnsupported,
         fmt::format("the symbols of {} are not doubled by shifts", code.name()));
  }
  const bool is_local = options.table_memory == KernelTableMemory::kLocal;
  const std::size_t most = is_local ? kMostLocalTables : kMostConstantTables;
  if (options.table_memory != KernelTableMemory::kGlobal && bytes > most) {
    fail(Status::kUnsupported, fmt::format("tables of {} bytes exceed the {} of {} memory", bytes,
                                           most, is_local ? "local" : "constant"));
  }
}

/// The text of an array in constant memory.
std::string constant_array(const char* name, const std::vector<std::uint8_t>& bytes) {
  std::string text =
      fmt::format("XL_CONSTANT_ARRAY\nunsigned char {}[{}] __attribute__((aligned(4))) = {{", name,
                  bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += i % 12 == 0 ? "\n    " : " ";
    text += fmt::format("{},", bytes[i]);
  }
  text.back() = '}';
  return text + ";\n";
}

/// Copies tables into the memory of a group. The work items that compute nothing help.
std::string copy_to_group(std::size_t bytes) {
  return fmt::format(
      "  XL_LOCAL_ARRAY unsigned char xl_tables[{0}] __attribute__((aligned(4)));\n"
      "  for (unsigned int i = xl_local_item(); i < {0}; i += xl_local_items()) {{\n"
      "    xl_tables[i] = tables[i];\n"
      "  }}\n"
      "  xl_group_barrier();\n",
      bytes);
}

std::string lines_of(const Program& direct, const std::vector<std::size_t>& chunks) {
  std::map<Element, std::vector<std::pair<Element, Field::Symbol>>> products;
  for (const Equation& equation : direct.equations) {
    for (const auto& [element, coefficient] : equation.operands) {
      products[element].emplace_back(equation.target, coefficient);
    }
  }
  KernelLines lines(direct.rows, chunks);
  for (const auto& [input, sums] : products) {
    lines.keep_order();
    lines.load(input);
    std::vector<KernelLines::Addition> additions;
    for (const auto& [sum, coefficient] : sums) {
      additions.push_back({sum, coefficient == 1 ? lines.name(input)
                                                 : fmt::format("xl_product(0x{:02x}, {})",
                                                               coefficient, lines.name(input))});
    }
    lines.add(additions);
  }
  for (const Equation& equation : direct.equations) {
    lines.store(equation.target, {equation.operands.empty() ? "0" : lines.name(equation.target)});
  }
  return std::move(lines).text();
}

}  // namespace

KernelDraft table_kernel(const Code& code, const Program& direct,
                         const std::vector<std::size_t>& chunks, const KernelOptions& options,
                         std::size_t vector_bytes) {
  check_bounds(code, options, 0);
  std::set<Field::Symbol> coefficients;
  std::size_t operands = 0;
  for (const Equation& equation : direct.equations) {
    for (const Operand& operand : equation.operands) {
      ++operands;
      if (operand.coefficient != 1) coefficients.insert(operand.coefficient);
    }
  }
  std::vector<std::uint8_t> bytes = table_bytes(options.tables, code.field, coefficients);
  check_bounds(code, options, bytes.size());
  check_tables(options.tables, code.field, bytes, coefficients);

  const KernelTableMemory memory =
      bytes.empty() ? KernelTableMemory::kGlobal : options.table_memory;
  const char* const word = memory == KernelTableMemory::kConstant ? "XL_CONSTANT"
                           : memory == KernelTableMemory::kLocal  ? "XL_LOCAL"
                                                                  : "XL_MEMORY";
  KernelDraft draft;
  draft.definitions = define_word_access() + fmt::format("#define XL_TABLE {}\n", word) +
                      define_symbol_product(options.tables, code.field, coefficients);
  if (memory == KernelTableMemory::kConstant)
    draft.definitions += constant_array("xl_tables", bytes);
  draft.definitions += fmt::format(
      "#define xl_product(by, x) xl_products({}, XL_BY_##by, x)\n"
      "XL_FUNCTION xl_vec xl_products(\n"
      "    const XL_TABLE unsigned char *tables, unsigned int by, xl_vec x) {{\n"
      "  xl_vec products = 0;\n"
      "  for (int shift = 0; shift < {}; shift += 8) {{\n"
      "    const unsigned int a = (unsigned int)(x >> shift) & 0xff;\n"
      "    products |= (xl_vec)xl_symbol_product(tables, a, by) << shift;\n"
      "  }}\n"
      "  return products;\n"
      "}}\n",
      bytes.empty()                          ? "0"
      : memory == KernelTableMemory::kGlobal ? "tables"
                                             : "xl_tables",
      8 * vector_bytes);
  if (memory == KernelTableMemory::kLocal) draft.place = copy_to_group(bytes.size());
  draft.place += place_of_words(vector_bytes);
  draft.lines = lines_of(direct, chunks);
  draft.price = {.bytes = (direct.inputs.size() + direct.outputs.size()) * vector_bytes,
                 .instructions = operands * vector_bytes * 6,
                 .registers = direct.outputs.size() * vector_bytes / 4 + 32,
                 .columns = vector_bytes};
  draft.kernel.item_columns = vector_bytes;
  if (memory != KernelTableMemory::kConstant) draft.kernel.tables = std::move(bytes);
  return draft;
}

std::string write_table_kernel(KernelLanguage language, const KernelText& kernel) {
  if (kernel.tables.empty()) return "";
  const bool is_opencl = language == KernelLanguage::kOpencl;
  const char* const begin = is_opencl                           ? "__kernel void"
                            : language == KernelLanguage::kHost ? "extern \"C\" void"
                                                                : "extern \"C\" __global__ void";
  const std::string body =
      language == KernelLanguage::kHost
          ? fmt::format("  for (int i = 0; i < {0}; ++i) tables[i] = xl_table_bytes[i];\n",
                        kernel.tables.size())
          : fmt::format(
                "  const xl_size i = xl_item();\n"
                "  if (i < {}) tables[i] = xl_table_bytes[i];\n",
                kernel.tables.size());
  return constant_array("xl_table_bytes", kernel.tables) +
         fmt::format("\n{} {}_tables({} *tables) {{\n{}}}\n", begin, kernel.entry,
                     is_opencl ? "__global uchar" : "unsigned char", body);
}

}  // namespace xorloom
