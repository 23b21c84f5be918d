#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Arguments = std::vector<std::string>;

struct Case {
  Arguments arguments;
  std::string sentence;
};

void check_refused(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    std::string line;
    for (const std::string& argument : c.arguments) line += " " + argument;
    CAPTURE(line);
    CHECK(not_refused(xorloom(c.arguments), c.sentence) == "");
  }
}

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

constexpr const char* kGoodSpec = "cauchy:k=3,m=2,w=3";

}  // namespace

TEST_CASE("A code spec that does not hold is refused with the value and the bound") {
  const auto equations = [](const std::string& spec) { return Arguments{"equations", spec}; };
  check_refused({
      {equations("cauchy:k=7,m=2,w=3"), "k + m = 9 exceeds 2^w = 8"},
      {equations("rs:k=250,m=7"), "k + m = 257 exceeds 2^w = 256"},
      {equations("cauchy:k=3,m=2,w=17"), "w = 17 is not one of 2 to 16 or 32"},
      {equations("cauchy:k=3,m=2,w=1"), "w = 1 is not one of 2 to 16 or 32"},
      {equations("rs:k=3,m=2,w=5"),
       "w = 5 is not one of 4, 8, 16 or 32, as words need; arrangement=packet takes 2 to 16, too"},
      {equations("cauchy:k=3,m=2,w=3,poly=0x9"),
       "polynomial 0x9 is reducible: it gives no field of 2^3 symbols"},
      {equations("cauchy:k=2,m=2,w=3,x=1+2,y=2+3"),
       "Cauchy point 2 is repeated: the points of x and y must all differ"},
      {equations("cauchy:k=2,m=2,w=3,q=3"),
       "cauchy does not know the key 'q': it takes k m w x y poly packet_bytes"},
      {equations("cauchy:k=2,m=2,k=3"), "code spec 'cauchy:k=2,m=2,k=3' gives 'k' twice"},
      {equations("cauchy:k=0,m=2"), "k = 0 is not one of 1 to 65536"},
      {equations("cauchy:k=two,m=2"), "k = 'two' is not a whole number"},
      {equations("cauchy:k=2"), "cauchy needs m=…"},
      {{"-Vq"}, "there is no option '-Vq'"},
      {{"equations", kGoodSpec, "--erase", "1", "--reads", "min", "--read-cost", "1=5"},
       "--read-cost names location 1, which is lost"},
      {equations("cauchy:k"), "'k' in code spec 'cauchy:k' is not of the form key=value"},
      {equations(":k=2"),
       "code spec ':k=2' does not begin with a family name; a spec looks like "
       "cauchy-good:k=10,m=4,w=8"},
      {equations("cauchy:k=2,m=1,packet_bytes=12"), "packet_bytes = 12 is not a multiple of 8"},
      {{"equations", "cauchy:k=2,m=1,packet_bytes=8", "--packet-bytes", "16"},
       "--packet-bytes = 16 contradicts packet_bytes = 8 of the code"},
      {{"equations", "rs:k=2,m=1", "--packet-bytes", "16"},
       "--packet-bytes = 16 needs arrangement=packet: rs lays out words"},
      {{"equations", kGoodSpec, "--packet-bytes", "7"},
       "--packet-bytes = 7 is not a multiple of 8"},
      {{"equations", kGoodSpec, "--packet-bytes", "0"},
       "--packet-bytes = 0 is not a whole number from 1 to 1073741824"},
      {{"bench", kGoodSpec, "--chunk-bytes", "64k"},
       "--chunk-bytes = 64k is not a whole number from 1 to 1099511627776, such as 64K"},
      {{"report", "nofile.txt"}, "there is no code family and no file 'nofile.txt'"},
      {{"report", "rs:k=4,m=2", "parity:k=3", "--erase", "5"},
       "parity:k=3: lost location 5 is not one of 0 to 3"},
      {{"equations", kGoodSpec, "--style", "iterative", "--store", "Off"},
       "--store = Off: write off, or ./Off for a directory"},
      {{"emit", kGoodSpec, "--target", "c", "--header", "-"},
       "--header and --output are both standard output: name a file for one of them"},
      {{"optimize", "m.txt", "--bound", "--certificate", "-"},
       "--certificate and --output are both standard output: name a file for one of them"},
  });
}

TEST_CASE("Options out of their bounds are refused with the value and the bound") {
  const auto equations = [](const Arguments& more) { return with({"equations", kGoodSpec}, more); };
  check_refused({
      {equations({"--erase", "5"}), "lost location 5 is not one of 0 to 4"},
      {equations({"--erase", "1,1"}), "--erase names 1 twice"},
      {equations({"--erase", "a"}), "--erase = a is not a whole number from 0 to 65535"},
      {equations({"--erase", "0,"}), "--erase = '' is not a whole number from 0 to 65535"},
      {equations({"--erase", "0", "--want", "1"}),
       "wanted location 1 is not one of the lost locations {0}"},
      {equations({"--want", "1"}), "--want chooses among the chunks of --erase: give --erase too"},
      {equations({"--rows", "3"}), "row 3 is not one of 0 to 2"},
      {equations({"--erase", "0", "--rows", "1-3"}), "row 3 is not one of 0 to 2"},
      {equations({"--rows", "0-65536"}), "--rows = 65536 is not a whole number from 0 to 65535"},
      {equations({"--rows", "2-1"}), "--rows = 2-1 goes down: write the lower number first"},
      {equations({"--rows", "0-1,1"}), "--rows names 1 twice"},
      {equations({"--rows", "1-"}), "--rows = 1- is not a number, nor a range such as 0-3"},
      {equations({"--rows", "-1"}), "--rows = -1 is not a whole number from 0 to 65535"},
      {equations({"--rows", "0-1-2"}), "--rows = 1-2 is not a whole number from 0 to 65535"},
      {equations({"--update", "5"}), "updated location 5 is not one of 0 to 4"},
      {equations({"--update", "3"}), "updated location 3 holds no data that could change"},
      {equations({"--update", "0,0"}), "--update names 0 twice"},
      {equations({"--update", "1-0"}), "--update = 1-0 goes down: write the lower number first"},
      {equations({"--erase", "0-"}), "--erase = 0- is not a number, nor a range such as 0-3"},
      {equations({"--update", "0", "--erase", "1"}),
       "--update changes data that is there, and --erase names what is lost: give one of them"},
      {equations({"--update", "0", "--want", "0"}),
       "--want chooses among the chunks of --erase: give --erase too"},
      {equations({"--cores", "0"}), "--cores = 0 is not a whole number from 1 to 4096"},
      {equations({"--cores", "-1"}), "--cores = -1 is not a whole number from 1 to 4096"},
      {equations({"--cores", "2x"}), "--cores = 2x is not a whole number from 1 to 4096"},
      {equations({"--cores", "2", "--format", "dot"}),
       "--cores adds a plan, which --format dot cannot show"},
      {equations({"--cores", "2", "--style", "iterative", "--front", "--format", "dot"}),
       "--cores adds a plan, which --format dot cannot show"},
      {equations({"--style", "iterative", "--front", "--format", "dot"}),
       "--front gives several sets of equations, which --format dot cannot show"},
      {equations({"--cores", "2", "--front"}),
       "--front needs --style iterative: direct equations have the same XORs in any plan"},
      {equations({"--atomic"}), "--atomic is about a plan, and needs --cores"},
      {equations({"--depth", "3"}),
       "--depth needs --style iterative: direct equations are not searched for"},
      {equations({"--style", "iterative", "--depth", "0"}),
       "--depth = 0 is not a whole number from 1 to 64"},
      {equations({"--style", "iterative", "--depth", "3", "--cores", "2"}),
       "--depth is about levels, and --cores about steps of a plan: give one of them"},
      {equations({"--style", "iterative", "--depth", "3", "--model", "lut4"}),
       "--model lut4 is about gates, and --depth about two-input XORs: give one of them"},
      {equations({"--style", "iterative", "--front", "--model", "lut6"}),
       "--model lut6 is about gates, and --front about two-input XORs: give one of them"},
      {equations({"--style", "iterative", "--depth", "3", "--store", "."}),
       "--store keeps equations of any depth, and --depth asks for another search: give one of "
       "them"},
      {equations({"--reads", "any"}),
       "--reads chooses which survivors are read, and needs --erase"},
      {equations({"--cores", "2", "--atomic=0"}), "--atomic takes no value"},
      {equations({"--cores", "2", "--front=0"}), "--front takes no value"},
      {equations({"--reads", "few"}), "--reads = 'few' is not any or min"},
      {equations({"--format", "png"}), "--format = 'png' is not text, json, svg or dot"},
      {equations({"--style", "fast"}), "--style = 'fast' is not direct or iterative"},
      {{"report", kGoodSpec, "--cores", "1,0"}, "--cores = 0 is not a whole number from 1 to 4096"},
      {{"report"}, "there is nothing to report on: give a SPEC or --equations FILE"},
      {{"bench", kGoodSpec, "--chunk-bytes", "100"},
       fmt::format("--chunk-bytes = 100 is not a multiple of 192, which {} needs; 192 is one",
                   kGoodSpec)},
      {{"bench", kGoodSpec, "--executor", "fast"},
       "--executor = 'fast' is not ranges, graph, plan, auto, opencl, cuda or hybrid"},
      {{"bench", kGoodSpec, "--isa", "sse2"},
       "--isa = 'sse2' is not portable, neon, ssse3, avx2, avx2-gfni, avx512, avx512-gfni, "
       "neon-sha3 or rvv"},
      {{"bench", kGoodSpec, "--threads", "-1"},
       "--threads = -1 is not a whole number from 0 to 1024"},
      {{"bench", kGoodSpec, "--threads", "abc"},
       "--threads = abc is not a whole number from 0 to 1024"},
  });
}

TEST_CASE("An instruction set in the environment that does not exist is refused") {
  ::setenv("XORLOOM_ISA", "sse2", 1);
  const Outcome outcome = xorloom({"bench", kGoodSpec});
  ::unsetenv("XORLOOM_ISA");
  CHECK(not_refused(outcome,
                    "XORLOOM_ISA = 'sse2' is not portable, neon, ssse3, avx2, avx2-gfni, avx512, "
                    "avx512-gfni, neon-sha3 or rvv") == "");
}

TEST_CASE("Paths that cannot be read or written are refused by name") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, "content");
  const std::string missing = folder / "missing";
  const std::string below = folder / "missing/x";
  const std::string directory = folder.path().string();
  const Arguments raw{"--raw", "--code", kGoodSpec};
  const auto encode = [&](const std::string& from, const std::string& to) {
    return with({"encode", from, "-o", to}, raw);
  };
  const auto decode = [&](const std::string& from) {
    return with({"decode", from, "-o", folder / "back", "--length", "7"}, raw);
  };
  check_refused({
      {{"equations", kGoodSpec, "-o", below},
       "cannot write " + below + ": No such file or directory"},
      {{"equations", kGoodSpec, "-o", directory}, "cannot write " + directory + ": Is a directory"},
      {{"equations", kGoodSpec, "-o", file + "/x"}, "cannot write " + file + "/x: Not a directory"},
      {{"equations", kGoodSpec, "-o", ""}, "--output is empty"},
      {{"report", kGoodSpec, "--equations", missing},
       "cannot read " + missing + ": No such file or directory"},
      {{"report", kGoodSpec, "--equations", directory},
       "cannot read " + directory + ": Is a directory"},
      {encode(missing, folder / "c"), "cannot read " + missing + ": No such file or directory"},
      {encode(file, file), "cannot make the directory " + file + ": it is not a directory"},
      {encode(file, below), "cannot make the directory " + below + ": No such file or directory"},
      {encode(file, "-"), "-o needs a directory for the chunk files, and '-' is not one"},
      {decode(missing), "cannot read the directory " + missing + ": No such file or directory"},
      {decode(file), "cannot read the directory " + file + ": Not a directory"},
  });
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("What a user names is a regular file: devices and pipes are refused at once") {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(shell("mkfifo pipe", folder.path()).status == 0);
  const std::string is_pipe = "cannot read " + pipe + ": it is a pipe, not a regular file";
  const std::string reads = "; - reads standard input";
  const std::string is_device = "cannot read /dev/zero: it is a device, not a regular file";
  check_refused({
      {{"optimize", "/dev/zero"}, is_device},
      {{"optimize", pipe}, is_pipe + reads},
      {{"report", pipe}, is_pipe + reads},
      {{"report", kGoodSpec, "--equations", "/dev/zero"}, is_device},
      {{"report", kGoodSpec, "--equations", pipe}, is_pipe + reads},
      {{"codes", "file:/dev/zero"}, is_device},
      {{"codes", "file:" + pipe}, is_pipe},
      {{"codes", "file:" + folder.path().string()},
       "cannot read " + folder.path().string() + ": Is a directory"},
  });
  // More than a matrix may have, as a hole: nothing of it is read.
  REQUIRE(shell("truncate -s 1G large", folder.path()).status == 0);
  CHECK(not_refused(xorloom({"optimize", folder / "large"}),
                    (folder / "large") +
                        " has more than 268435456 bytes, the most that are read of it") == "");
#ifdef XORLOOM_IS_SANITIZED
  const std::string limit;  // the address sanitizer needs address space of its own
#else
  const std::string limit = "ulimit -v 4000000; ";
#endif
  const Outcome endless = shell(limit + "$xorloom optimize - < /dev/zero", folder.path());
  CHECK(not_refused(endless,
                    "standard input has more than 268435456 bytes, the most that are read "
                    "of it") == "");
}

TEST_CASE("Equation files that are garbage are refused, and where they go wrong is said") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  const auto sentence = [&](std::string_view content) {
    write_file(file, content);
    const Outcome outcome = xorloom({"report", kGoodSpec, "--equations", file});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("xorloom: error: " + file));
    return outcome.err;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(sentence(""), ": the equations file is empty\n"));
  CHECK(has(sentence("{\"format\": 3"), ": not JSON: "));
  CHECK(has(sentence("{}"), ": the JSON has no 'format'\n"));
  CHECK(has(sentence("{\"format\":\"xorloom-equations\",\"version\":7}"),
            ": version 7 is not one of 1 to 2, those this program reads\n"));
  CHECK(has(sentence("9 = XOR(0,1\n"), ": line 1: "));
  CHECK(has(sentence("9 = XOR(0,99)\n"), ": element 99 is not one of the 15 cells of "));
  CHECK(has(sentence("A = XOR(0,B)\nB = XOR(1,A)\n9 = XOR(A,B)\n"), "cycle"));
  CHECK(
      has(sentence("9 = XOR(0,1)\n9 = XOR(0,2)\n"), ": 9 is assigned twice, by equations 1 and 2"));
  CHECK(has(sentence(std::string_view("\x7f\0ELF", 5)), " is not text: byte 1 is zero\n"));
  CHECK(has(sentence("9 = \x1b[31m\n"), "?[31m"));  // nothing a terminal would act on
}

TEST_CASE("Equations for no code in particular, with gaps in their numbers, need a spec") {
  const TemporaryFolder folder;
  folder.write("gap.txt", "9 = XOR(0,2)\n");
  const std::string file = folder / "gap.txt";
  CHECK(not_refused(xorloom({"report", "--equations", file}),
                    file + " does not say what code it is for, and its elements are not numbered "
                           "as those of a matrix: give its SPEC") == "");
}

TEST_CASE("Chunks of a size that cannot be are refused with the size and the bound") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, random_bytes(1000, 1));
  const Arguments encode{"encode", file, "-o", folder / "c", "--raw", "--code", kGoodSpec};
  check_refused({
      {with(encode, {"--chunk-bytes", "100"}),
       fmt::format("--chunk-bytes = 100 is not a multiple of 192, which {} needs; 192 is one",
                   kGoodSpec)},
      {with(encode, {"--chunk-bytes", "192"}),
       file + " has 1000 bytes, more than the 576 that chunks of 192 bytes hold"},
  });
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("Chunk files that do not belong together are refused, and the odd one is named") {
  const TemporaryFolder folder;
  const std::string c = folder / "c";
  write_file(folder / "file", random_bytes(500, 1));
  REQUIRE(xorloom({"encode", folder / "file", "-o", c, "--raw", "--code", kGoodSpec}).status == 0);
  const auto decode = [&](const std::string& length) {
    return Arguments{"decode", c,         "-o",       folder / "back", "--raw",
                     "--code", kGoodSpec, "--length", length};
  };
  check_refused(
      {{decode("577"),
        "--length = 577 exceeds the 576 bytes of data that chunks of 192 bytes hold"},
       {decode("-1"), "--length = -1 is not a whole number from 0 to 72057594037927936"}});
  write_file(c + "/1", "short");
  for (const Arguments& call : {Arguments{"verify", c, "--raw", "--code", kGoodSpec},
                                Arguments{"repair", c, "--raw", "--code", kGoodSpec}}) {
    const Outcome outcome = xorloom(call);
    CHECK(outcome.status == 1);
    CHECK(outcome.err == "xorloom: error: " + c +
                             "/1 has 5 bytes, but other chunks have 192; without that file its "
                             "chunk is a lost one, which repair rebuilds\n");
  }
  const Outcome read = xorloom(decode("500"));
  CHECK(read.status == 0);
  CHECK(has(read.err, "/1 has 5 bytes, but other chunks have 192; its chunk counts as lost\n"));
  CHECK(folder.read("back") == folder.read("file"));
  std::filesystem::remove(folder / "back");
  for (const char* name : {"/0", "/2"}) std::filesystem::remove(c + name);
  CHECK(xorloom(decode("500")).status == 3);
  for (const char* name : {"/0", "/1", "/2", "/3", "/4"}) write_file(c + name, "odd");
  check_refused({{decode("3"), "the chunk files in " + c +
                                   " have 3 bytes, which is not a positive multiple of 192"}});
  write_file(c + "/5", "odd");
  check_refused({{decode("3"), c + " holds a chunk file 5, but the code has 5 locations, 0 to 4"}});
  std::filesystem::remove(c + "/5");
  std::filesystem::remove(c + "/2");
  std::filesystem::create_directory(c + "/2");
  check_refused({{decode("3"), c + "/2 is not a regular file"}});
  CHECK(folder.names() == std::vector<std::string>{"c", "file"});
}

TEST_CASE("What does not fit the machine's memory is refused, and both sizes are said") {
  const TemporaryFolder folder;
  write_file(folder / "file", "abcd");
  const std::string tebibyte = "1099511627776";
  std::filesystem::create_directory(folder / "c");
  for (const char* name : {"c/0", "c/1"}) {
    write_file(folder / name, "");
    std::filesystem::resize_file(folder / name, std::stoull(tebibyte));
  }
  const auto sentence = [](const Arguments& arguments, int status = 4) {
    const Outcome outcome = xorloom(arguments);
    CHECK(outcome.status == status);
    return outcome.err;
  };
  const Arguments raw{"--raw", "--code", "rs:k=2,m=1"};
  CHECK(
      sentence(
          with({"encode", folder / "file", "-o", folder / "new", "--chunk-bytes", tebibyte}, raw))
          .starts_with(
              "xorloom: error: 3 chunks of 1099511627776 bytes (1 TiB) and a file of 4 bytes need "
              "3298534883332 bytes (3 TiB) of memory, but this machine has "));
  CHECK(
      sentence(with({"encode", folder / "c/0", "-o", folder / "new"}, raw))
          .starts_with("xorloom: error: 3 chunks of 549755813888 bytes (512 GiB) and a file of "));
  CHECK(
      sentence(
          with({"decode", folder / "c", "-o", folder / "new", "--length", tebibyte + "0"}, raw), 2)
          .starts_with("xorloom: error: --length = 10995116277760 exceeds "));
  CHECK(sentence(with({"decode", folder / "c", "-o", folder / "new", "--length", tebibyte}, raw))
            .starts_with("xorloom: error: 1 chunks of 1099511627776 bytes (1 TiB) and a file of "));
  CHECK(sentence({"bench", "rs:k=2,m=1", "--chunk-bytes", tebibyte})
            .starts_with("xorloom: error: 6 chunks of 1099511627776 bytes (1 TiB) need "));
  CHECK(folder.names() == std::vector<std::string>{"c", "file"});
}

TEST_CASE("What the raw form of decode cannot do without is named") {
  check_refused({
      {{"decode", "c", "-o", "file", "--raw", "--length", "1"},
       "--raw needs --code SPEC, -k, -m or -w"},
      {{"decode", "c", "-o", "file", "--raw", "--code", kGoodSpec}, "--raw needs --length"},
  });
}

TEST_CASE("A directory or file without a name is refused, as from a script's unset variable") {
  for (const char* command :
       {"decode", "verify", "info", "repair", "truncate", "append", "patch", "convert", "encode",
        "equations", "optimize", "emit", "report", "bench", "codes", "protect", "atlas"}) {
    CAPTURE(command);
    const Outcome outcome = xorloom({command, ""});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err.substr(0, outcome.err.find('\n')), " is empty"));
  }
}

TEST_CASE("No option takes an empty value") {
  check_refused({
      {{"serve", "--socket", ""}, "--socket is empty"},
      {{"emit", "parity:k=2", "--target", "c", "--equations", ""}, "--equations is empty"},
      {{"optimize", "m.txt", "--bound", "--certificate", ""}, "--certificate is empty"},
      {{"protect", "f", "-o", ""}, "--output is empty"},
      {{"codes", "parity:k=2", "--losses", ""}, "--losses is empty"},
  });
}

TEST_CASE("An option that would have no effect is refused") {
  check_refused({
      {{"equations", kGoodSpec, "--model", "steps"},
       "--model steps is about a plan, and needs --cores"},
      {{"equations", kGoodSpec, "--style", "iterative", "--model", "steps"},
       "--model steps is about a plan, and needs --cores"},
      {{"encode", "file", "-o", "s", "--accept-damage"}, "--accept-damage needs --replace"},
      {{"encode", "file", "-o", "s", "--raw", "-k", "2", "--no-name"},
       "--no-name does not go with --raw"},
      {{"encode", "file", "-o", "s", "--raw", "-k", "2", "--replace", "--accept-damage"},
       "--accept-damage does not go with --raw"},
  });
}

TEST_CASE("What is for one form is refused in the other") {
  check_refused({
      {{"encode", "file", "-o", "c", "--raw"},
       "--raw needs --code SPEC, --equations FILE, -k, -m or -w"},
      {{"encode", "file", "-o", "c", "--chunk-bytes", "64"}, "--chunk-bytes needs --raw"},
      {{"decode", "c", "-o", "file", "--code", kGoodSpec}, "--code, -k, -m or -w needs --raw"},
      {{"decode", "c", "-o", "file", "--length", "1"}, "--length needs --raw"},
      {{"decode", "c", "-o", "f", "--raw", "--code", kGoodSpec, "--length", "1", "--set", "12"},
       "--set does not go with --raw"},
      {{"decode", "c", "d", "-o", "f", "--raw", "--code", kGoodSpec, "--length", "1"},
       "--raw takes one DIR, not 2"},
  });
}

TEST_CASE("However long a word is and whatever is in it, an error repeats little of it") {
  const std::string text = std::string(100'000, 'A') + "\x1b[2J";
  const TemporaryFolder folder;
  const std::string broken = R"({"format":")" + std::string(1'000'000, 'A') + R"("})";
  write_file(folder / "broken.json", broken);
  for (const Arguments& arguments :
       {Arguments{text},
        {"--" + text},
        {"equations", text},
        {"equations", kGoodSpec, text},
        {"equations", kGoodSpec, "--" + text},
        {"equations", kGoodSpec, "--format", text},
        {"equations", kGoodSpec, "--cores", text},
        {"equations", kGoodSpec, "--erase", text},
        {"equations", kGoodSpec, "--rows", "1-" + text},
        {"equations", "file:" + text},
        {"equations", "file:" + (folder / "broken.json")},
        {"optimize", text},
        {"optimize", folder / "broken.json"},
        {"report", kGoodSpec, "--equations", text},
        {"report", "--equations", folder / "broken.json"},
        {"codes", "--suggest", text},
        {"emit", kGoodSpec, "--target", "c", "--name", text},
        {"emit", kGoodSpec, "--target", text},
        {"encode", text, "-o", folder / "d"},
        {"encode", folder / "broken.json", "-o", text},
        {"decode", text, "-o", folder / "x"},
        {"decode", folder / "", "-o", text},
        {"decode", folder / "", "--bytes", text, "-o", folder / "x"},
        {"repair", folder / "", "--read-cost", text},
        {"repair", folder / "", "--to", text},
        {"bench", kGoodSpec, "--isa", text},
        {"bench", kGoodSpec, "--layout", text},
        {"bench", kGoodSpec, "--executor", text},
        {"info", text},
        {"verify", text},
        {"equations", kGoodSpec, "--style", "iterative", "--library", text}}) {
    CAPTURE(arguments.front().substr(0, 20));
    CAPTURE(arguments.back().substr(0, 20));
    CAPTURE(arguments.size());
    const Outcome outcome = xorloom(arguments);
    CHECK(outcome.status != 0);
    CHECK(outcome.err.size() < 1500);
    CHECK(outcome.err.find("xorloom: error: ") != std::string::npos);
    CHECK(outcome.err.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("patch and append name a directory that is missing, and do not take it for the bytes") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(1000, 7));
  REQUIRE(xorloom({"encode", folder / "file", "-o", folder / "d"}).status == 0);
  const std::string missing = folder / "disk2";
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"patch", folder / "d", missing, "--at", "0", folder / "file"},
        {"patch", folder / "d", missing, "--at", "0"},
        {"append", folder / "d", missing, folder / "file"},
        {"append", folder / "d", missing}}) {
    const Outcome outcome = xorloom(call);
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, missing + " is not there: it is neither a DIR of shards nor a FILE"));
  }
}

}  // namespace xorloom::test
