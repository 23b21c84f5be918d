#include "gen/gpu/packet_kernel.hpp"

#include <fmt/format.h>

#include <utility>

#include "gen/gpu/bit_sums.hpp"

namespace xorloom {
namespace {

std::string definitions(std::size_t packet_bytes) {
  return fmt::format(
      "// A vector of a packet.\n"
      "#define xl_get(chunk, row) \\\n"
      "  (*(const XL_MEMORY xl_vec *)((chunk) + (row) * {0}))\n"
      "#define xl_put(chunk, row, value) \\\n"
      "  (*(XL_MEMORY xl_vec *)((chunk) + (row) * {0}) = (value))\n",
      packet_bytes);
}

std::string place(const Code& code, std::size_t vector_bytes) {
  return fmt::format(
      "  (void)pitch;\n"
      "  const xl_size column = xl_item() * {0};\n"
      "  if (column >= columns) return;\n"
      "  const xl_size place = column / {1} * {2} + column % {1};\n",
      vector_bytes, code.packet_bytes, chunk_multiple(code));
}

}  // namespace

KernelDraft packet_kernel(const Code& code, const Program& equations,
                          const std::vector<std::size_t>& chunks, KernelForm form,
                          std::size_t vector_bytes) {
  const BitSums sums{equations, chunks, 1, vector_bytes};
  BitLines lines = form == KernelForm::kIterative ? ordered_lines(sums) : accumulator_lines(sums);
  KernelDraft draft;
  draft.definitions = definitions(code.packet_bytes);
  draft.place = place(code, vector_bytes);
  draft.lines = std::move(lines.text);
  draft.price = lines.price;
  draft.kernel.item_columns = draft.price.columns = vector_bytes;
  return draft;
}

}  // namespace xorloom
