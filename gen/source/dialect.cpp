#include "gen/source/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace xorloom {

bool SourceFile::has_parts() const {
  return std::ranges::any_of(
      functions, [](const SourceFunction& function) { return function.split.parts.size() > 1; });
}

std::size_t SourceFile::most_slots() const {
  std::size_t most = 0;
  for (const SourceFunction& function : functions) most = std::max(most, function.split.slots);
  return most;
}

std::string part_name(const SourceFunction& function, std::size_t part, const std::string& suffix) {
  const bool is_one = function.split.parts.size() == 1;
  return function.name + "_columns" + (is_one ? "" : fmt::format("_{}", part + 1)) + suffix;
}

std::vector<std::string> part_list(const SourcePart& part, std::vector<std::string> for_chunks,
                                   const std::string& for_kept, const std::string& end) {
  std::vector<std::string> list;
  if (part.touches_chunks()) list = std::move(for_chunks);
  if (part.touches_kept()) list.push_back(for_kept);
  list.back().pop_back();
  list.back() += end;
  return list;
}

std::string define_separate(const SourceFile& file) {
  if (!file.has_parts()) return "";
  return "// One function is split into several, which compilers translate in less time.\n"
         "#if defined(__GNUC__) || defined(__clang__)\n"
         "#define SEPARATE __attribute__((noinline))\n"
         "#else\n"
         "#define SEPARATE\n"
         "#endif\n\n";
}

std::string undefine_separate(const SourceFile& file) {
  return file.has_parts() ? "\n#undef SEPARATE\n" : "";
}

}  // namespace xorloom
