#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Returns the first block of `language` in docs/emit.md.
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

TEST_CASE("An update carries a change over to the redundancy, as encoding anew does") {
  const auto all = compilers();
  SKIP_WITHOUT_COMPILERS(all);
  const std::vector<std::pair<std::string, std::size_t>> cases = {
      {"cauchy-good:k=3,m=2,w=4", 1024}, {"rs:k=3,m=2", 1000},  {"rs:k=3,m=2", 3},
      {"rs:k=3,m=2,w=16", 64},           {"clay:k=3,m=2", 720}, {"leopard:k=3,m=2", 256}};
  std::size_t turn = 0;
  for (const auto& each : cases) {
    const std::string& spec = each.first;
    const std::size_t chunk_bytes = each.second;
    for (const Compiler& compiler : one_by_turns(all, turn++)) {
      CAPTURE(spec);
      CAPTURE(compiler.name);
      const TemporaryFolder folder;
      const std::string ending = compiler.is_cpp ? ".cpp" : ".c";
      const Outcome emitted =
          xorloom({"emit", spec, "--target", compiler.is_cpp ? "c++" : "c", "--update", "1",
                   "--name", "x", "-o", folder / ("code" + ending), "--header",
                   folder / (compiler.is_cpp ? "code.hpp" : "code.h")});
      REQUIRE_MESSAGE(emitted.status == 0, emitted.err);
      const std::string source = folder.read("code" + ending);
      for (const char* about :
           {"Chunk 5 is the old XOR the new value of chunk 1.",
            "Chunk 6 is the old value of chunk 3.", "Chunk 9 is the new value of chunk 4."}) {
        CHECK(has(source, about));
      }
      const std::string prefix = compiler.is_cpp ? "xl_x::" : "xl_x_";
      folder.write("main" + ending,
                   fmt::format("#include \"code.h{0}\"\n\n"
                               "static uint8_t bytes[10][{1}];\n\n"
                               "int main(void) {{\n"
                               "  uint8_t *chunks[10];\n"
                               "  unsigned state = 7;\n"
                               "  for (int i = 0; i < 10; ++i) chunks[i] = bytes[i];\n"
                               "  for (int i = 0; i < 3; ++i) {{\n"
                               "    for (int at = 0; at < {1}; ++at) {{\n"
                               "      state = state * 1103515245u + 12345u;\n"
                               "      bytes[i][at] = (uint8_t)(state >> 16);\n"
                               "    }}\n"
                               "  }}\n"
                               "  if ({2}encode(chunks, {1}) != 0) return 1;\n"
                               "  for (int at = 0; at < {1}; ++at) {{\n"
                               "    bytes[6][at] = bytes[3][at];\n"
                               "    bytes[7][at] = bytes[4][at];\n"
                               "    bytes[5][at] = (uint8_t)(at * 31 + 5);\n"
                               "    bytes[1][at] = (uint8_t)(bytes[1][at] ^ bytes[5][at]);\n"
                               "  }}\n"
                               "  if ({2}update_1(chunks, {1}) != 0) return 2;\n"
                               "  if ({2}encode(chunks, {1}) != 0) return 3;\n"
                               "  for (int at = 0; at < {1}; ++at) {{\n"
                               "    if (bytes[8][at] != bytes[3][at]) return 4;\n"
                               "    if (bytes[9][at] != bytes[4][at]) return 5;\n"
                               "  }}\n"
                               "  return 0;\n}}\n",
                               compiler.is_cpp ? "pp" : "", chunk_bytes, prefix));
      CHECK(complaint_of(folder, fmt::format("{0} {1} -O1 code{2} main{2} -o main && ./main",
                                             compiler.name, strict_flags(compiler), ending)) == "");
    }
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
