#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// What stands in the first block of a language in docs/emit.md.
std::string example(const std::string& language) {
  const std::string document = read_file(XORLOOM_EXAMPLES "/../docs/emit.md");
  const std::string fence = "\n```" + language + "\n";
  const std::size_t begin = document.find(fence) + fence.size();
  return document.substr(begin, document.find("\n```\n", begin) + 1 - begin);
}

}  // namespace

TEST_CASE("The programs of docs/emit.md compile without warnings, and give back what was lost") {
  const auto all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  for (const Compiler& compiler : all) {
    CAPTURE(compiler.name);
    const TemporaryFolder folder;
    const std::string ending = compiler.is_cpp ? ".cpp" : ".c";
    const Outcome emitted =
        xorloom({"emit", "cauchy-good:k=4,m=2,w=4", "--target", compiler.is_cpp ? "c++" : "c",
                 "--erase", "0,3", "--name", "storage", "-o", folder / ("storage" + ending)});
    REQUIRE(emitted.status == 0);
    folder.write("main" + ending, example(compiler.is_cpp ? "cpp" : "c"));
    CHECK(complaint_of(folder, fmt::format("{0} {1} -O2 storage{2} main{2} -o main && ./main",
                                           compiler.name, strict_flags(compiler), ending)) == "");
  }
}

TEST_CASE("What a header declares is called without a declaration of one's own") {
  const auto all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  for (const Compiler& compiler : all) {
    CAPTURE(compiler.name);
    const TemporaryFolder folder;
    const std::string ending = compiler.is_cpp ? ".cpp" : ".c";
    const std::string header = compiler.is_cpp ? "storage.hpp" : "storage.h";
    const Outcome emitted = xorloom({"emit", "cauchy-good:k=4,m=2,w=4", "--target",
                                     compiler.is_cpp ? "c++" : "c", "--name", "storage", "-o",
                                     folder / ("storage" + ending), "--header", folder / header});
    REQUIRE(emitted.status == 0);
    const std::string prefix = compiler.is_cpp ? "xl_storage::" : "xl_storage_";
    folder.write("main" + ending,
                 fmt::format("#include \"{0}\"\n#include \"{0}\"\n\n"
                             "static uint8_t bytes[6][256];\n\n"
                             "int main(void) {{\n  uint8_t *chunks[{1}num_chunks];\n"
                             "  for (int i = 0; i < 6; ++i) chunks[i] = bytes[i];\n"
                             "  bytes[2][0] = 7;\n"
                             "  if ({1}encode(chunks, {1}chunk_multiple) != 0) return 1;\n"
                             "  return bytes[4][0] == 7 ? 0 : 1;\n}}\n",
                             header, prefix));
    CHECK(complaint_of(folder, fmt::format("{0} {1} -O1 storage{2} main{2} -o main && ./main",
                                           compiler.name, strict_flags(compiler), ending)) == "");
  }
}

}  // namespace xorloom::test
