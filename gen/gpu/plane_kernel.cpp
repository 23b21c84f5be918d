#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "gen/gpu/kernel_forms.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kPlaneTeam = 32;

/// Programs over bits of more equations are not put into another order.
constexpr std::size_t kMostOrdered = 4096;

std::vector<Element> bits_of_all(const std::vector<Element>& symbols, std::size_t w) {
  std::vector<Element> bits;
  for (const Element symbol : symbols) {
    for (std::size_t bit = 0; bit < w; ++bit)
      bits.push_back(static_cast<Element>(symbol * w + bit));
  }
  return bits;
}

/// Mask of the bits of a vector whose position in their symbol lacks the bit `shift`.
std::string mask_of(std::size_t w, std::size_t shift, std::size_t vector_bytes) {
  std::uint64_t mask = 0;
  for (std::size_t place = 0; place < 8 * vector_bytes; ++place) {
    if ((place % w & shift) == 0) mask |= std::uint64_t{1} << place;
  }
  return fmt::format("(xl_vec)0x{:0{}x}", mask, 2 * vector_bytes);
}

/// "p0, p1, p2", in lines of a macro.
std::string names(const char* name, std::size_t number) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < number; ++i) {
    const char* const end = i + 1 == number ? "" : i % 8 == 7 ? ", \\\n   " : ",";
    all.push_back(fmt::format("{}{}{}", name, i, end));
  }
  return fmt::format("{}", fmt::join(all, " "));
}

/// Bytes from the first vector of a cell to vector j.
std::size_t offset_of(const Code& code, std::size_t vector_bytes, std::size_t j) {
  const std::size_t apart = kPlaneTeam * vector_bytes;
  if (code.plane_bytes == 0) return j * apart;
  return j % 8 * 2 * apart + (j < 8 ? 0 : code.plane_bytes);
}

/// Vector j of an item exists if `words` exceeds this: vectors lie apart, and memory may end before
/// it.
std::size_t turn_of(const Code& code, std::size_t j) { return code.plane_bytes == 0 ? j : j % 8; }

std::string transposition(const Code& code, std::size_t vector_bytes) {
  const std::size_t w = code.field.w();
  std::string text = fmt::format("#define XL_TRANSPOSE({}) {{ \\\n", names("p", w));
  // If bytes of one kind lie together, the first step is left out.
  for (std::size_t shift = code.plane_bytes != 0 ? w / 4 : w / 2; shift > 0; shift /= 2) {
    const std::string mask = mask_of(w, shift, vector_bytes);
    for (std::size_t i = 0; i < w; ++i) {
      if ((i & shift) != 0) continue;
      text += fmt::format("  XL_SWAP(p{}, p{}, {}, {}) \\\n", i, i + shift, shift, mask);
    }
  }
  return text + "}\n";
}

/// Defines XL_GET_PLANES and XL_PUT_PLANES for a code.
std::string define_planes(const Code& code, std::size_t vector_bytes) {
  const std::size_t w = code.field.w();
  const std::string parameters = names("p", w);
  std::string get = fmt::format(
      "#define XL_GET_PLANES(chunk, row, {}) \\\n"
      "  xl_vec ",
      parameters);
  std::string put = fmt::format(
      "#define XL_PUT_PLANES(chunk, row, {}) {{ \\\n"
      "  xl_vec ",
      parameters);
  for (std::size_t j = 0; j < w; ++j) {
    const char* end = j + 1 == w ? "; \\\n" : ", \\\n      ";
    get += fmt::format("p{0} = words > {1} ? XL_PLACE(chunk, row, {2}) : 0{3}", j, turn_of(code, j),
                       offset_of(code, vector_bytes, j), end);
    put += fmt::format("q{0} = p{0}{1}", j, end);
  }
  get += fmt::format("  XL_TRANSPOSE({}) \\\n ", names("p", w));
  for (std::size_t j = 0; j < w; ++j) {
    get += fmt::format(" xl_opaque(p{});{}", j, j + 1 == w ? "\n" : j % 4 == 3 ? " \\\n " : "");
  }
  put += fmt::format("  XL_TRANSPOSE({}) \\\n", names("q", w));
  for (std::size_t j = 0; j < w; ++j) {
    put += fmt::format("  if (words > {0}) XL_PLACE(chunk, row, {1}) = q{2}; \\\n",
                       turn_of(code, j), offset_of(code, vector_bytes, j), j);
  }
  return fmt::format(
             "// {0} vectors of a cell, which are transposed into planes of bits.\n"
             "#define XL_PLACE(chunk, row, at) \\\n"
             "  (*(XL_MEMORY xl_vec *)((chunk) + (row) * pitch + (at)))\n"
             "#define XL_SWAP(a, b, shift, mask) {{ \\\n"
             "  const xl_vec swapped = (a & (mask)) | ((b << (shift)) & ~(mask)); \\\n"
             "  b = ((a >> (shift)) & (mask)) | (b & ~(mask)); \\\n"
             "  a = swapped; \\\n"
             "}}\n",
             w) +
         transposition(code, vector_bytes) + get + put + "}\n";
}

/// First lines of a kernel that uses planes.
std::string place_of_planes(const Code& code, std::size_t vector_bytes) {
  const std::size_t apart = kPlaneTeam * vector_bytes;
  const bool has_planes = code.plane_bytes != 0;
  const std::size_t vectors = has_planes ? 8 : code.field.w();
  const std::string columns = has_planes ? "(columns / 2)" : "columns";
  return fmt::format(
             "  (void)pitch;\n"
             "  const xl_size item = xl_item();\n"
             "  const xl_size first = item / {0} * {1} + item % {0} * {2};\n"
             "  if (first >= {3}) return;\n"
             "  const xl_size left = ({3} - first + {4}) / {5};\n"
             "  const unsigned int words = left < {6} ? (unsigned int)left : {6};\n",
             kPlaneTeam, apart * vectors, vector_bytes, columns, apart - 1, apart, vectors) +
         (has_planes ? fmt::format("  const xl_size place = first / {0} * {1} + first % {0};\n",
                                   code.plane_bytes, 2 * code.plane_bytes)
                     : "  const xl_size place = first;\n");
}

/// Number of instructions that transpose a cell, and get or put it.
std::size_t plane_instructions(std::size_t w, std::size_t vector_bytes) {
  const auto stages = static_cast<std::size_t>(std::bit_width(w) - 1);
  return (stages * w / 2 * 4 + 2 * w) * vector_bytes / 4;
}

}  // namespace

Program bits_of(const Program& symbols) {
  const std::size_t w = symbols.field.w();
  Program bits;
  bits.locations = symbols.locations;
  bits.rows = symbols.rows * w;
  bits.inputs = bits_of_all(symbols.inputs, w);
  bits.outputs = bits_of_all(symbols.outputs, w);
  for (const VirtualElement& one : symbols.virtuals) {
    for (std::size_t bit = 0; bit < w; ++bit) {
      bits.virtuals.push_back({one.kind, static_cast<Element>(one.element * w + bit)});
    }
  }
  for (const Equation& equation : symbols.equations) {
    std::vector<Equation> sums;
    for (const Element target : bits_of_all({equation.target}, w)) sums.push_back({target, {}});
    for (const auto& [element, coefficient] : equation.operands) {
      for (std::size_t from = 0; from < w; ++from) {
        const Field::Symbol product = symbols.field.multiply(coefficient, Field::Symbol{1} << from);
        for (std::size_t to = 0; to < w; ++to) {
          if ((product >> to & 1) != 0) {
            sums[to].operands.emplace_back(static_cast<Element>(element * w + from));
          }
        }
      }
    }
    for (Equation& sum : sums) bits.equations.push_back(std::move(sum));
  }
  prove(bits, expand(symbols.field, coefficients_of(symbols)));
  return bits;
}

KernelDraft plane_kernel(const KernelJob& job) {
  const Program& bits = job.equations;
  const std::size_t w = job.code.field.w();
  const Program direct = written_out(bits);
  const auto add_planes = [&](KernelDraft& draft) {
    draft.price.columns = w * job.vector_bytes;
    draft.price.instructions +=
        draft.price.bytes / draft.price.columns * plane_instructions(w, job.vector_bytes);
  };
  KernelDraft draft = accumulator_lines({kKernelWords, direct, job.chunks, w}, job.vector_bytes);
  add_planes(draft);
  if (has_temporaries(bits) && bits.equations.size() <= kMostOrdered) {
    KernelDraft ordered = ordered_lines({kKernelWords, bits, job.chunks, w}, job.vector_bytes);
    add_planes(ordered);
    if (ordered.price.clocks() < draft.price.clocks()) draft = std::move(ordered);
  }
  draft.definitions = define_planes(job.code, job.vector_bytes);
  draft.place = place_of_planes(job.code, job.vector_bytes);
  draft.kernel.item_columns = draft.price.columns;
  draft.kernel.team = kPlaneTeam;
  return draft;
}

}  // namespace xorloom
