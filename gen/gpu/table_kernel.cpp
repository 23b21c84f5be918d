#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "codes/field/byte_maps.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/gpu/kernel_forms.hpp"
#include "gen/gpu/kernel_frame.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kSymbols = 256;
constexpr std::size_t kOrder = 255;  ///< order of the multiplicative group

/// Most bytes of tables in the local memory of a group, and in constant memory: every device has
/// these.
constexpr std::size_t kMostLocalTables = 32 * 1024;
constexpr std::size_t kMostConstantTables = 64 * 1024;

using Bytes = std::vector<std::uint8_t>;

/// A way to multiply symbols: the body of the function that does it, and its result for a symbol a
/// and the coefficient b, as the function takes it. With logarithms of one byte, zeros are handled
/// before, and b is the sum of both logarithms.
struct Policy {
  const char* name;
  std::size_t log_bytes;  ///< bytes of a logarithm; 0: no logarithms
  std::size_t exponents;  ///< entries of exp, behind the logarithms
  const char* body;       ///< with the polynomial in place of {}
  std::size_t (*product)(const Bytes& tables, std::size_t a, std::size_t b, std::size_t polynomial);
};

constexpr const char* kSumOfLogarithms =
    "if (a == 0 || b == 0) return 0;\n"
    "  const unsigned int sum = tables[a] + tables[b];\n"
    "  ";

/// Indexed by KernelTables.
constexpr std::array kPolicies = {
    Policy{"shift-add", 0, 0,
           "(void)tables;\n"
           "  unsigned int product = 0;\n"
           "  for (; b != 0; b >>= 1) {{\n"
           "    if ((b & 1) != 0) product ^= a;\n"
           "    a = (a & 0x80) != 0 ? a << 1 ^ 0x{:x} : a << 1;\n"
           "  }}\n"
           "  return product;",
           [](const Bytes&, std::size_t a, std::size_t b, std::size_t polynomial) {
             std::size_t product = 0;
             for (; b != 0; b >>= 1) {
               if ((b & 1) != 0) product ^= a;
               a = (a & 0x80) != 0 ? a << 1 ^ polynomial : a << 1;
             }
             return product;
           }},
    Policy{"full", 0, 0, "return tables[a << 8 | b];",
           [](const Bytes& tables, std::size_t a, std::size_t b, std::size_t) -> std::size_t {
             return tables[a << 8 | b];
           }},
    Policy{"left-right", 0, 0,
           "return tables[a >> 4 << 8 | b] ^ tables[4096 + ((a & 15) << 8 | b)];",
           [](const Bytes& tables, std::size_t a, std::size_t b, std::size_t) {
             return std::size_t{tables[a >> 4 << 8 | b]} ^ tables[4096 + ((a & 15) << 8 | b)];
           }},
    Policy{"log-exp", 1, kOrder, "return tables[256 + sum % 255];",
           [](const Bytes& tables, std::size_t, std::size_t sum, std::size_t) -> std::size_t {
             return tables[256 + sum % 255];
           }},
    Policy{"carry", 1, kOrder + 1, "return tables[256 + (sum & 255) + (sum >> 8)];",
           [](const Bytes& tables, std::size_t, std::size_t sum, std::size_t) -> std::size_t {
             return tables[256 + (sum & 255) + (sum >> 8)];
           }},
    Policy{"repeated", 1, 2 * (kOrder - 1) + 1, "return tables[256 + sum];",
           [](const Bytes& tables, std::size_t, std::size_t sum, std::size_t) -> std::size_t {
             return tables[256 + sum];
           }},
    Policy{"unbranched", 2, 4 * kOrder + 1,
           "const XL_TABLE xl_log *const log = (const XL_TABLE xl_log *)tables;\n"
           "  return tables[512 + log[a] + log[b]];",
           [](const Bytes& tables, std::size_t a, std::size_t b, std::size_t) -> std::size_t {
             const auto log = [&](std::size_t of) {
               return std::size_t{tables[2 * of]} | std::size_t{tables[2 * of + 1]} << 8;
             };
             return tables[512 + log(a) + log(b)];
           }},
    Policy{"nibbles", 0, 0, "return tables[32 * b + (a & 15)] ^ tables[32 * b + 16 + (a >> 4)];",
           [](const Bytes& tables, std::size_t a, std::size_t b, std::size_t) {
             return std::size_t{tables[32 * b + (a & 15)]} ^ tables[32 * b + 16 + (a >> 4)];
           }}};

const Policy& record_of(KernelTables tables) { return kPolicies[static_cast<std::size_t>(tables)]; }

Bytes logarithms(const Policy& policy, const Field& field) {
  Bytes tables(policy.log_bytes * kSymbols + policy.exponents);
  std::uint8_t* const exp = tables.data() + policy.log_bytes * kSymbols;
  const auto set_log = [&](std::size_t symbol, std::size_t log) {
    tables[policy.log_bytes * symbol] = static_cast<std::uint8_t>(log);
    if (policy.log_bytes == 2) tables[2 * symbol + 1] = static_cast<std::uint8_t>(log >> 8);
  };
  const Field::Symbol generator = field.generator();
  Field::Symbol power = 1;
  for (std::size_t log = 0; log < kOrder; ++log) {
    set_log(power, log);
    for (std::size_t at = log; at < policy.exponents && at < 2 * kOrder; at += kOrder) {
      exp[at] = static_cast<std::uint8_t>(power);
    }
    power = field.multiply(power, generator);
  }
  if (policy.log_bytes == 2) set_log(0, 2 * kOrder);
  return tables;
}

/// Returns the coefficient as the function of a policy takes it.
std::size_t argument_of(KernelTables policy, const std::set<Field::Symbol>& coefficients,
                        Field::Symbol coefficient) {
  if (policy != KernelTables::kNibbles) return coefficient;
  return static_cast<std::size_t>(
      std::distance(coefficients.begin(), coefficients.find(coefficient)));
}

/// Defines xl_symbol_product(tables, a, b) for a policy, and XL_BY_0x1d for each coefficient, as
/// the function takes it. XL_TABLE stands for the word for memory of tables.
std::string define_symbol_product(KernelTables policy, const Field& field,
                                  const std::set<Field::Symbol>& coefficients) {
  std::string text = fmt::format(
      "XL_FUNCTION unsigned int xl_symbol_product(\n"
      "    const XL_TABLE unsigned char *tables, unsigned int a, unsigned int b) {{\n"
      "  {}{}\n"
      "}}\n",
      record_of(policy).log_bytes == 1 ? kSumOfLogarithms : "",
      fmt::format(fmt::runtime(record_of(policy).body), field.polynomial()));
  for (const Field::Symbol coefficient : coefficients) {
    text += fmt::format("#define XL_BY_0x{:02x} {}\n", coefficient,
                        argument_of(policy, coefficients, coefficient));
  }
  return text;
}

void check_bounds(const Code& code, const KernelOptions& options, std::size_t bytes) {
  if (code.field.w() != 8) {
    fail(Status::kUnsupported,
         "products are looked up for symbols of 8 bits, and {} has symbols of {}", code.name(),
         code.field.w());
  }
  if (options.tables == KernelTables::kShiftAndAdd && !code.field.basis().empty()) {
    fail(Status::kUnsupported, "the symbols of {} are not doubled by shifts", code.name());
  }
  const bool is_local = options.table_memory == KernelTableMemory::kLocal;
  const std::size_t most = is_local ? kMostLocalTables : kMostConstantTables;
  if (options.table_memory != KernelTableMemory::kGlobal && bytes > most) {
    fail(Status::kUnsupported, "tables of {} bytes exceed the {} of {} memory", bytes, most,
         is_local ? "local" : "constant");
  }
}

/// The text of an array in constant memory.
std::string constant_array(const char* name, const std::vector<std::uint8_t>& bytes) {
  std::vector<std::string> numbers;
  for (const std::uint8_t byte : bytes) numbers.push_back(fmt::format("{}", byte));
  return fmt::format(
      "XL_CONSTANT_ARRAY\nunsigned char {}[{}] __attribute__((aligned(4))) = {{\n{}}};\n", name,
      bytes.size(), array_lines(numbers, 12));
}

/// Lines that copy tables into the memory of a group. Work items that compute nothing help.
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
  std::map<Element, std::vector<Operand>> products;  // targets and factors, by input
  for (const Equation& equation : direct.equations) {
    for (const auto& [element, coefficient] : equation.operands) {
      products[element].emplace_back(equation.target, coefficient);
    }
  }
  LineWriter lines({kKernelWords, direct, chunks});
  for (const auto& [input, sums] : products) {
    lines.keep_order();
    const std::string name = lines.load(input);
    std::vector<LineWriter::Addition> additions;
    for (const auto& [sum, coefficient] : sums) {
      additions.push_back(
          {sum,
           {coefficient == 1 ? name : fmt::format("xl_product(0x{:02x}, {})", coefficient, name)}});
    }
    lines.add(additions);
  }
  for (const Equation& equation : direct.equations) {
    lines.store(equation.target, {equation.operands.empty() ? "0" : lines.name(equation.target)});
  }
  return std::move(lines).text();
}

}  // namespace

const char* tables_name(KernelTables tables) { return record_of(tables).name; }

std::vector<std::uint8_t> table_bytes(KernelTables policy, const Field& field,
                                      const std::set<Field::Symbol>& coefficients) {
  Bytes tables;
  const auto add_products = [&](std::size_t symbols, std::size_t shift) {
    for (std::size_t a = 0; a < symbols; ++a) {
      for (std::size_t b = 0; b < kSymbols; ++b) {
        tables.push_back(static_cast<std::uint8_t>(
            field.multiply(static_cast<Field::Symbol>(a << shift), static_cast<Field::Symbol>(b))));
      }
    }
  };
  if (record_of(policy).log_bytes != 0) return logarithms(record_of(policy), field);
  if (policy == KernelTables::kFull) add_products(kSymbols, 0);
  if (policy == KernelTables::kLeftRight) {
    add_products(16, 4);
    add_products(16, 0);
  }
  if (policy == KernelTables::kNibbles) {
    for (const Field::Symbol coefficient : coefficients) {
      tables.resize(tables.size() + kNibbleMapBytes);
      write_nibble_maps(field, coefficient, tables.data() + tables.size() - kNibbleMapBytes);
    }
  }
  return tables;
}

void check_tables(KernelTables policy, const Field& field, const std::vector<std::uint8_t>& tables,
                  const std::set<Field::Symbol>& coefficients) {
  const Policy& record = record_of(policy);
  const bool has_sums = record.log_bytes == 1;
  for (const Field::Symbol coefficient : coefficients) {
    const std::size_t b = argument_of(policy, coefficients, coefficient);
    for (std::size_t a = 0; a < kSymbols; ++a) {
      const bool is_zero = has_sums && (a == 0 || b == 0);
      const std::size_t second = has_sums ? std::size_t{tables[a]} + tables[b] : b;
      const auto has = static_cast<std::uint8_t>(
          is_zero ? 0 : record.product(tables, a, second, field.polynomial()));
      const Field::Symbol expected =
          field.multiply_by_shifts(static_cast<Field::Symbol>(a), coefficient);
      if (has == expected) continue;
      fail(Status::kInternal, "the tables that were written are not those of the field: " +
                                  wrong_entry(coefficient, a, has, expected));
    }
  }
}

KernelDraft table_kernel(const KernelJob& job) {
  const Code& code = job.code;
  const Program& direct = job.equations;
  const KernelOptions& options = job.options;
  const std::size_t vector_bytes = job.vector_bytes;
  check_bounds(code, options, 0);
  const std::set<Field::Symbol> coefficients = factors_of(direct);
  std::vector<std::uint8_t> bytes = table_bytes(options.tables, code.field, coefficients);
  check_bounds(code, options, bytes.size());
  check_tables(options.tables, code.field, bytes, coefficients);

  const KernelTableMemory memory =
      bytes.empty() ? KernelTableMemory::kGlobal : options.table_memory;
  const char* const word = memory == KernelTableMemory::kConstant ? "XL_CONSTANT"
                           : memory == KernelTableMemory::kLocal  ? "XL_LOCAL"
                                                                  : "XL_MEMORY";
  KernelDraft draft;
  draft.definitions = define_access(code) + fmt::format("#define XL_TABLE {}\n", word) +
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
  draft.place += place_of_vectors(code, vector_bytes);
  draft.lines = lines_of(direct, job.chunks);
  draft.price = {.bytes = (direct.inputs.size() + direct.outputs.size()) * vector_bytes,
                 .instructions = num_operands(direct) * vector_bytes * 6,
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
