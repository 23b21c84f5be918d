#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// Writes a comment of "//" lines.
class CommentWriter {
 public:
  void paragraph(const std::string& words);
  void line(const std::string& words) { text_ += "//   " + words + "\n"; }
  void blank() { text_ += "//\n"; }
  void parameter(const char* name, const std::string& words);
  void end(const std::string& words);
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

/// Locations of `elements`.
std::set<std::size_t> locations_with(const Program& program, const std::vector<Element>& elements);

/// How a code computes: "by XOR", "over GF(2^8)".
std::string how_it_codes(const Code& code);

/// Comment above the function of a program: the chunks that it computes and reads, its cost, and in
/// an update the contents of the chunks past those of the code.
std::string write_function_comment(const Program& program);

/// Begins the comment of a file: its contents (`what`), the spec of a code, and how its elements
/// lie in memory.
void describe_code(CommentWriter& comment, const Code& code, const std::string& what);

/// Numbers, with runs abbreviated: "0-3,5".
std::string short_list(const std::set<std::size_t>& numbers);

}  // namespace xorloom
