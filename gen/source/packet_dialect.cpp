#include <fmt/format.h>

#include "gen/source/dialect.hpp"

// Packets: XORs of vectors, in loops over super-blocks and the columns of a packet.

namespace xorloom {
namespace {

/// Bytes of the widest vectors: at most those of a packet, and narrow enough for kept temporaries
/// to fit the stack.
std::size_t vector_bytes(const SourceFile& file) {
  std::size_t bytes = 64;
  while (bytes > file.code.packet_bytes) bytes /= 2;
  while (bytes > 8 && file.most_slots() * bytes > kMaxKeptBytes) bytes /= 2;
  return bytes;
}

/// True if the last vector of a packet may have to begin within the one before it.
bool has_rest(const SourceFile& file) { return file.code.packet_bytes % vector_bytes(file) != 0; }

std::string define_vectors(const SourceFile& file) {
  std::string text = fmt::format(
      "{0} size_t packet_bytes = {1};\n"
      "{0} size_t super_block_bytes = {2};\n\n",
      file.language.constant, file.code.packet_bytes, chunk_multiple(file.code));
  text += define_vec(vector_bytes(file), false);
  text += fmt::format(
      "{0} vec get(const uint8_t *chunk, size_t row) {{\n"
      "  vec value;\n"
      "  {1}memcpy(&value, chunk + row * packet_bytes, sizeof value);\n"
      "  return value;\n"
      "}}\n\n"
      "{0} void put(uint8_t *chunk, size_t row, vec value) {{\n"
      "  {1}memcpy(chunk + row * packet_bytes, &value, sizeof value);\n"
      "}}\n\n",
      file.language.inline_function, file.language.std);
  if (has_rest(file)) {
    text += fmt::format(
        "// The last vector of a packet ends with it and may cover bytes already done.\n"
        "{} size_t within_packet(size_t column) {{\n"
        "  const size_t last = packet_bytes - sizeof(vec);\n"
        "  return column < last ? column : last;\n"
        "}}\n\n",
        file.language.inline_function);
  }
  return text;
}

std::size_t packet_part_operands(const Code& /*code*/, std::size_t asked) { return asked; }

std::string packet_open(const SourceFile& /*file*/) { return ""; }

std::string packet_define(const SourceFile& file) {
  std::string text =
      define_vectors(file) + define_separate(file) +
      "// Each of these computes sizeof(vec) bytes of every packet of a super-block;\n"
      "// those of its first packet begin at byte `at` of a chunk.\n\n";
  for (const SourceFunction& function : file.functions) {
    text += define_parts(file, function, nullptr, {});
  }
  return text;
}

std::string packet_enter(const SourceFile& file, const SourceFunction& function) {
  std::string text = "  if (chunk_bytes % super_block_bytes != 0) return 1;\n";
  if (function.split.slots != 0) text += fmt::format("  vec kept[{}];\n", function.split.slots);
  text +=
      "  for (size_t block = 0; block < chunk_bytes; block += super_block_bytes) {\n"
      "    for (size_t column = 0; column < packet_bytes; column += sizeof(vec)) {\n";
  text += fmt::format("      const size_t at = block + {};\n",
                      has_rest(file) ? "within_packet(column)" : "column");
  return text + call_parts(function, nullptr, "at", "      ") +
         "    }\n"
         "  }\n"
         "  return 0;\n";
}

}  // namespace

constexpr Dialect kPacketDialect = {packet_part_operands, packet_open, packet_define, packet_enter,
                                    undefine_separate};

}  // namespace xorloom
