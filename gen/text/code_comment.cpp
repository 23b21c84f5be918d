#include "gen/text/code_comment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iterator>
#include <string_view>

#include "codes/text/counted.hpp"
#include "equations/ir/cost.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

std::string roles(const Code& code) {
  constexpr std::array kNames = {"", "data in ", "redundancy in ", "both in "};
  std::vector<std::size_t> role(code.locations, 0);
  for (const Cell cell : code.data) role[code.location_of_cell(cell)] |= 1U;
  for (const Cell cell : code.redundant) role[code.location_of_cell(cell)] |= 2U;
  std::vector<std::string> parts;
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    std::set<std::size_t> locations;
    for (std::size_t location = 0; location < code.locations; ++location) {
      if (role[location] == i) locations.insert(location);
    }
    if (!locations.empty()) parts.push_back(kNames[i] + short_list(locations));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// "| packet 0 | packet 1 | packet 2 |": a row of `number` boxes, shortened if there are many.
std::string boxes(const char* what, std::size_t number) {
  std::string text = "|";
  for (std::size_t i = 0; i < number; ++i) {
    if (number > 3 && i == 2) text += " ... |";
    if (number > 3 && i >= 2 && i + 1 < number) continue;
    text += fmt::format(" {} {} |", what, i);
  }
  return text;
}

/// Splits a spec into words between which lines may break.
std::vector<std::string> spec_words(std::string_view spec) {
  constexpr std::size_t kWord = 60;
  std::vector<std::string> words{""};
  for (const char c : spec) {
    words.back() += c;
    if ((c == ',' || c == '+') && words.back().size() > kWord) words.emplace_back();
  }
  return words;
}

/// Draws a row of boxes, and under it the name of the whole that they make up.
void draw(CommentWriter& comment, const std::string& row, const std::string& words,
          const std::string& next) {
  std::string below(row.size(), '-');
  if (words.size() + 2 <= row.size()) {
    below.replace((row.size() - words.size()) / 2, words.size(), words);
  }
  below.front() = below.back() = '|';
  comment.line(row + "| " + next + " | ...");
  comment.line(below + "|--- ...");
  comment.blank();
}

void describe_packets(CommentWriter& comment, const Code& code) {
  const std::size_t rows = code.rows();
  comment.paragraph(
      fmt::format("A stripe is {} chunks of chunk_bytes bytes each, {}. A chunk is "
                  "super-blocks of {} bytes, one after the other, and a super-block is {} "
                  "of {} bytes:",
                  code.locations, roles(code), chunk_multiple(code), counted(rows, "packet"),
                  code.packet_bytes));
  draw(comment, boxes("packet", rows), rows == 1 ? "" : " super-block 0 ", "packet 0");
  comment.paragraph(
      fmt::format("In every super-block the redundant packets are the same XORs of data packets. "
                  "Below, e{0} is packet {1} of chunk {2}, that is {0} % {3} and {0} / {3}.",
                  code.num_elements() - 1, rows - 1, code.locations - 1, rows));
}

void describe_words(CommentWriter& comment, const Code& code) {
  const std::size_t w = code.field.w();
  const std::size_t alpha = code.subchunks;
  const std::string symbols =
      code.plane_bytes != 0
          ? fmt::format(
                "symbols of {} bits lie in blocks: {} low bytes, then the high bytes of the "
                "same symbols",
                w, code.plane_bytes)
          : fmt::format("symbols of {} bits lie one after the other{}", w,
                        w == 4   ? ", two per byte, the first in its low half"
                        : w == 8 ? ""
                                 : ", the lowest byte of each first");
  const std::string chunks = fmt::format("A stripe is {} chunks of chunk_bytes bytes each, {}. ",
                                         code.locations, roles(code));
  if (alpha == 1) {
    comment.paragraph(chunks + "In a chunk " + symbols + ":");
    comment.line("| symbol 0 | symbol 1 | symbol 2 | ...  |");
    comment.line("|---------------- chunk ---------------|");
    comment.blank();
  } else {
    comment.paragraph(chunks +
                      fmt::format("A chunk is {} sub-chunks of the same size, and in each "
                                  "of them ",
                                  alpha) +
                      symbols + ":");
    draw(comment, "| symbol 0 | symbol 1 | ...  |", " sub-chunk 0 ", "symbol 0");
  }
  if (code.field.basis().empty()) {
    comment.paragraph(fmt::format(
        "Symbols are of GF(2^{}) over the polynomial {:#x}: bit i of a symbol is the "
        "coefficient of x^i, adding is XOR, and multiplying by 2 shifts left by one bit "
        "and adds {:#x} if that shifts a bit out.",
        w, code.field.polynomial(), code.field.polynomial()));
  } else {
    comment.paragraph(fmt::format(
        "Symbols are of GF(2^{}) over the polynomial {:#x}, and adding is XOR. Bit i of a symbol "
        "is the coefficient of element i of the basis {:#x}, whose elements are polynomials. A "
        "product is that of the polynomials, in this basis.",
        w, code.field.polynomial(), fmt::join(code.field.basis(), ", ")));
  }
  std::string words = fmt::format(
      "At every place of the {}chunks the redundant symbols are the same sums of "
      "products of symbols with constants. ",
      alpha == 1 ? "" : "sub-");
  words += alpha == 1 ? fmt::format("Below, e{0} are the symbols of chunk {0}.", code.locations - 1)
                      : fmt::format(
                            "Below, e{0} are the symbols of sub-chunk {1} of chunk {2}, "
                            "that is {0} % {3} and {0} / {3}.",
                            code.num_cells() - 1, alpha - 1, code.locations - 1, alpha);
  comment.paragraph(words);
}

/// Lines on the contents of the chunks past those of the code. Rows that follow one another share a
/// line.
std::string describe_virtual_chunks(const Program& program) {
  constexpr std::array kKinds = {"the old XOR the new value of", "the old value of",
                                 "the new value of"};
  std::string text;
  const std::vector<VirtualElement>& all = program.virtuals;
  for (std::size_t first = 0; first < all.size();) {
    const std::size_t begin = program.num_cells() + first;
    std::size_t count = 1;
    while (first + count < all.size() && (begin + count) % program.rows != 0 &&
           all[first + count].kind == all[first].kind &&
           all[first + count].element == all[first].element + count &&
           (all[first].element + count) % program.rows != 0) {
      ++count;
    }
    const Element element = all[first].element;
    const auto place = [&](std::size_t of) {
      if (count == program.rows) return fmt::format("Chunk {}", of / program.rows);
      return fmt::format("Rows {}-{} of chunk {}", of % program.rows, of % program.rows + count - 1,
                         of / program.rows);
    };
    std::string about = place(element);
    about.front() = about.front() == 'C' ? 'c' : 'r';
    text += wrap_text("// ",
                      fmt::format("{} {} {} {}.", place(begin),
                                  count == 1 || count == program.rows ? "is" : "are",
                                  kKinds[static_cast<std::size_t>(all[first].kind)], about),
                      "// ") +
            "\n";
    first += count;
  }
  return text;
}

}  // namespace

void CommentWriter::paragraph(const std::string& words) {
  text_ += wrap_text("// ", words, "// ") + "\n//\n";
}

void CommentWriter::parameter(const char* name, const std::string& words) {
  const std::string head = fmt::format("//   {:<13}", name);
  text_ += wrap_text(head, words, "//" + std::string(head.size() - 2, ' ')) + "\n";
}

void CommentWriter::end(const std::string& words) {
  text_ += wrap_text("// ", words, "// ") + "\n\n";
}

std::set<std::size_t> locations_with(const Program& program, const std::vector<Element>& elements) {
  std::set<std::size_t> locations;
  for (const Element element : elements) locations.insert(element / program.rows);
  return locations;
}

std::string how_it_codes(const Code& code) {
  return code.arrangement == Arrangement::kPacket ? "by XOR"
                                                  : fmt::format("over GF(2^{})", code.field.w());
}

std::string write_function_comment(const Program& program) {
  const std::set<std::size_t> written = locations_with(program, program.outputs);
  const Cost what = cost(program);
  const std::set<std::size_t> read = locations_with(program, program.inputs);
  std::string words = fmt::format(
      "Computes chunk{} {}{}: {}", written.size() == 1 ? "" : "s", short_list(written),
      read.empty() ? " of zeros" : " from " + short_list(read), counted(what.xors, "XOR"));
  if (what.multiplications != 0) words += ", " + counted(what.multiplications, "multiplication");
  if (what.temporaries != 0) {
    words += fmt::format(", {} temporar{}", what.temporaries, what.temporaries == 1 ? "y" : "ies");
  }
  return wrap_text("// ", words + ".", "// ") + "\n" + describe_virtual_chunks(program);
}

void describe_code(CommentWriter& comment, const Code& code, const std::string& what) {
  comment.paragraph(fmt::format(
      "Erasure coding {}, generated by xorloom emit: {} The code:", how_it_codes(code), what));
  for (const std::string& word : spec_words(code.spec)) comment.line(word);
  comment.blank();
  code.arrangement == Arrangement::kPacket ? describe_packets(comment, code)
                                           : describe_words(comment, code);
}

std::string short_list(const std::set<std::size_t>& numbers) {
  std::string text;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) ++last;
    text += text.empty() ? "" : ",";
    text += first == last ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last);
    first = std::next(last);
  }
  return text;
}

}  // namespace xorloom
