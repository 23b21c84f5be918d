#include <fmt/format.h>

#include <utility>

#include "gen/gpu/bit_planes.hpp"
#include "gen/gpu/bit_sums.hpp"
#include "gen/gpu/word_kernel.hpp"

namespace xorloom {
namespace {

/// Programs of more temporaries are not put into another order.
constexpr std::size_t kMostOrdered = 4096;

}  // namespace

KernelDraft plane_kernel(const Code& code, const Program& bits,
                         const std::vector<std::size_t>& chunks, std::size_t vector_bytes) {
  const std::size_t w = code.field.w();
  const Program direct = without_temporaries(bits);
  const std::size_t cell_instructions = plane_instructions(w, vector_bytes);
  const auto add_planes = [&](BitLines& lines) {
    lines.price.columns = w * vector_bytes;
    lines.price.instructions += lines.price.bytes / (w * vector_bytes) * cell_instructions;
  };
  BitLines lines = accumulator_lines({direct, chunks, w, vector_bytes});
  add_planes(lines);
  if (has_temporaries(bits) && bits.equations.size() <= kMostOrdered) {
    BitLines ordered = ordered_lines({bits, chunks, w, vector_bytes});
    add_planes(ordered);
    if (ordered.price.clocks() < lines.price.clocks()) lines = std::move(ordered);
  }
  KernelDraft draft;
  draft.definitions = define_planes(code, vector_bytes);
  draft.place = place_of_planes(code, vector_bytes);
  draft.lines = std::move(lines.text);
  draft.price = lines.price;
  draft.kernel.item_columns = w * vector_bytes;
  draft.kernel.team = kPlaneTeam;
  return draft;
}

std::string define_word_access() {
  return "// A vector of a sub-chunk.\n"
         "#define xl_get(chunk, row) \\\n"
         "  (*(const XL_MEMORY xl_vec *)((chunk) + (row) * pitch))\n"
         "#define xl_put(chunk, row, value) \\\n"
         "  (*(XL_MEMORY xl_vec *)((chunk) + (row) * pitch) = (value))\n";
}

std::string place_of_words(std::size_t vector_bytes) {
  return fmt::format(
      "  (void)pitch;\n"
      "  const xl_size place = xl_item() * {};\n"
      "  if (place >= columns) return;\n",
      vector_bytes);
}

}  // namespace xorloom
