#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A comment of "//" lines as it grows.
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

/// The locations that some elements lie in.
std::set<std::size_t> locations_with(const Program& program, const std::vector<Element>& elements);

/// "by XOR", "over GF(2^8)".
std::string how_it_codes(const Code& code);

/// The comment above what computes a program: what from what, its cost, and in an update what the
/// chunks past those of the code are.
std::string write_function_comment(const Program& program);

/// Begins the comment of a file: what it holds, the spec of a code, and how its elements lie in
/// memory.
void describe_code(CommentWriter& comment, const Code& code, const std::string& what);

/// "0-3,5".
std::string short_list(const std::set<std::size_t>& numbers);

}  // namespace xorloom
