#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"
#include "tests/support/equation_checker.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kSmall = "3 4\n1101\n0111\n1111\n";

/// A matrix that takes a while, written row by row.
std::string large_matrix() {
  std::string text = "64 64\n";
  const std::string bytes = random_bytes(64 * 64, 3);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += (static_cast<unsigned char>(bytes[i]) & 1) != 0 ? '1' : '0';
    if (i % 64 == 63) text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("A matrix comes out as equations of few XORs, from a file or standard input") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, kSmall);
  const Outcome text = xorloom({"optimize", path});
  CHECK(text.status == 0);
  CHECK(text.err.empty());
  CHECK(has(text.out, "# cost: 4 XORs"));
  CHECK(has(text.out, "# proof: symbolic"));
  CHECK(widest_line(text.out) <= 80);
  Streams streams;
  streams.in = kSmall;
  CHECK(xorloom({"optimize", "-"}, streams).out == text.out);
  const CheckedEquations checked =
      check_equations(kSmall, xorloom({"optimize", path, "--format", "json"}).out);
  CHECK(checked.flaw == "");
  CHECK(checked.xors == 4);
}

TEST_CASE("What is printed is read again, proved") {
  const TemporaryFolder folder;
  const std::string path = folder / "iterative.json";
  CHECK(
      xorloom({"equations", kWorkedExample, "--style", "iterative", "--format", "json", "-o", path})
          .status == 0);
  const Outcome report = xorloom({"report", kWorkedExample, "--equations", path});
  CHECK(report.status == 0);
  CHECK(has(report.out, "24"));
}

TEST_CASE("The worked example takes 24 XORs, and 5 steps on 6 cores") {
  const Outcome fewest = xorloom({"equations", kWorkedExample, "--style", "iterative"});
  CHECK(has(fewest.out, "# cost: 24 XORs"));
  const Outcome tailored =
      xorloom({"equations", kWorkedExample, "--style", "iterative", "--cores", "6"});
  CHECK(has(tailored.out, "plan on 6 cores: 5 steps"));
  CHECK(widest_line(tailored.out) <= 80);
}

TEST_CASE("The whole front between steps and XORs is given on request") {
  const std::vector<std::string> command{
      "equations", kWorkedExample, "--style", "iterative", "--cores", "6",
      "--front",   "--effort",     "max",     "--tries",   "1000000"};
  const Outcome text = xorloom(command);
  CHECK(text.status == 0);
  CHECK(text.out.starts_with("# front on 6 cores\n# steps  XORs\n#     5  "));
  CHECK(has(text.out, "# cost: 24 XORs"));
  CHECK(has(text.out, "# plan on 6 cores: 5 steps"));
  CHECK(widest_line(text.out) <= 80);
  std::vector<std::string> as_json = command;
  as_json.insert(as_json.end(), {"--format", "json"});
  const auto front = nlohmann::json::parse(xorloom(as_json).out);
  CHECK(front.at("format") == "xorloom-front");
  CHECK(front.at("version") == 1);
  REQUIRE(front.at("front").size() >= 2);
  CHECK(front.at("front").front().at("cost").at("makespan").at("6") == 5);
  CHECK(front.at("front").back().at("cost").at("xors") == 24);
  const TemporaryFolder folder;
  write_file(folder / "front.json", xorloom(as_json).out);
  write_file(folder / "front.txt", text.out);
  CHECK(xorloom({"equations", "--equations", folder / "front.json"}).out == text.out);
  CHECK(nlohmann::json::parse(
            xorloom({"equations", "--equations", folder / "front.json", "--format", "json"}).out) ==
        front);
  CHECK(xorloom({"equations", "--equations", folder / "front.json", "--format", "svg"})
            .out.starts_with("<svg"));
  // Text keeps no plans.
  const Outcome from_text = xorloom({"equations", "--equations", folder / "front.txt"});
  CHECK(from_text.out.starts_with("code:    cauchy:"));
  CHECK(has(from_text.out, "# cost: 24 XORs"));
  for (const char* file : {"front.json", "front.txt"}) {
    const std::string path = folder / file;
    const auto report =
        nlohmann::json::parse(xorloom({"report", "--equations", path, "--format", "json"}).out);
    REQUIRE(report["sets"].size() == front["front"].size());
    CHECK(report["sets"].front()["source"] ==
          fmt::format("{}, 1 of {}", path, front["front"].size()));
    CHECK(report["sets"].back()["xors"] == 24);
    CHECK(not_refused(xorloom({"bench", "--equations", path}),
                      fmt::format("{} has {} sets of equations, and one is needed: give a file of "
                                  "one of them",
                                  path, front["front"].size())) == "");
    CHECK(not_refused(xorloom({"equations", "--equations", path, "--format", "dot"}),
                      fmt::format("--format dot shows one set of equations, and there are {}",
                                  front["front"].size())) == "");
  }
  CHECK(not_refused(
            xorloom({"equations", "--equations", folder / "front.txt", "--format", "svg"}),
            fmt::format("--format svg shows one set of equations, and there are {} without plans: "
                        "--cores N makes plans, and svg then draws the front",
                        front["front"].size())) == "");
  write_file(folder / "matrix.txt", kSmall);
  const Outcome matrix = xorloom({"optimize", folder / "matrix.txt", "--cores", "2", "--front"});
  CHECK(matrix.out.starts_with("# front on 2 cores\n"));
}

TEST_CASE("--depth bounds the levels of XORs, as a program that shares no code counts them") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, large_matrix());
  for (const std::vector<std::string>& effort :
       {std::vector<std::string>{"--effort", "fast"},
        {"--effort", "max", "--tries", "200000"},
        {"--effort", "max", "--tries", "200000", "--threads", "2"}}) {
    std::vector<std::string> arguments{"optimize", path, "--depth", "6", "--format", "json"};
    arguments.insert(arguments.end(), effort.begin(), effort.end());
    const Outcome outcome = xorloom(arguments);
    const CheckedEquations checked = check_equations(large_matrix(), outcome.out);
    CHECK(checked.flaw == "");
    CHECK(checked.depth == 6);
    CHECK(nlohmann::json::parse(outcome.out).at("search").at("depth") == 6);
  }
  write_file(path, "2 5\n11111\n11000\n");
  CHECK(not_refused(xorloom({"optimize", path, "--depth", "2"}),
                    "--depth = 2 is less than the 3 levels that an output of 5 inputs needs") ==
        "");
}

TEST_CASE("Without cores the front is of depth, and is read again") {
  const std::vector<std::string> command{"equations", kWorkedExample, "--style",
                                         "iterative", "--front",      "--effort",
                                         "max",       "--tries",      "4000000"};
  const Outcome text = xorloom(command);
  CHECK(text.status == 0);
  CHECK(text.out.starts_with("# front of depth\n# levels  XORs\n#      4  "));
  CHECK(has(text.out, "# cost: 24 XORs"));
  std::vector<std::string> as_json = command;
  as_json.insert(as_json.end(), {"--format", "json"});
  const TemporaryFolder folder;
  write_file(folder / "front.json", xorloom(as_json).out);
  CHECK(xorloom({"equations", "--equations", folder / "front.json"}).out == text.out);
  CHECK(xorloom({"equations", "--equations", folder / "front.json", "--format", "svg"})
            .out.starts_with("<svg"));
}

TEST_CASE("An atomic plan keeps each equation on one core") {
  const Outcome free = xorloom({"equations", kWorkedExample, "--cores", "12"});
  const Outcome atomic = xorloom({"equations", kWorkedExample, "--cores", "12", "--atomic"});
  CHECK(has(free.out, "plan on 12 cores: 5 steps"));
  CHECK(has(atomic.out, "plan on 12 cores: 8 steps, 0 moves"));
  const Outcome json =
      xorloom({"equations", kWorkedExample, "--cores", "12", "--atomic", "--format", "json"});
  CHECK(has(json.out, R"("makespan":{"12":8},"atomic_makespan":{"12":8})"));
}

TEST_CASE("The same seed and steps give the same equations with any number of threads") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, large_matrix());
  const auto equations = [&](const char* seed, const char* threads) {
    return xorloom({"optimize", path, "--effort", "max", "--tries", "300000", "--seed", seed,
                    "--threads", threads})
        .out;
  };
  const std::string one = equations("1", "1");
  CHECK(has(one, "XORs"));
  CHECK(equations("1", "2") == one);
  CHECK(equations("2", "1") != one);
}

TEST_CASE("Ctrl-C ends a search with the best so far, a second one at once") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, large_matrix());
  const Outcome ended = xorloom_ended({"optimize", path, "--effort", "max", "--format", "json"},
                                      {.signal = SIGINT, .computed = 500ms});
  CHECK(ended.status == 0);
  CHECK(has(ended.err, "stopped on request"));
  CHECK(check_equations(large_matrix(), ended.out).flaw == "");
  CHECK(xorloom_ended({"optimize", path, "--effort", "max"}, {SIGKILL, 100ms}).status == -SIGKILL);
}

TEST_CASE("Ctrl-C at any moment of a search prints what there is") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, large_matrix());
  const std::vector<std::vector<std::string>> calls = {
      {"optimize", path, "--format", "json"},
      {"report", path, "--format", "json"},
      {"equations", "cauchy-good:k=12,m=5,w=8", "--style", "iterative", "--format", "json"},
      {"emit", "cauchy-good:k=12,m=5,w=8", "--style", "iterative", "--target", "c"}};
  std::size_t turn = 0;
  for (std::vector<std::string> call : calls) {
    call.insert(call.end(), {"--effort", "max", "--store", "off"});
    for (const auto delay :
         one_by_turns<std::chrono::milliseconds>({60ms, 150ms, 300ms, 500ms}, turn++)) {
      CAPTURE(call.front());
      CAPTURE(delay.count());
      const Outcome ended = xorloom_ended(call, {.signal = SIGINT, .computed = delay});
      CHECK(ended.status == 0);
      CHECK(!ended.out.empty());
    }
  }
}

TEST_CASE("A signal that comes twice, as timeout sends it, is one request") {
  const TemporaryFolder folder;
  write_file(folder / "matrix.txt", large_matrix());
  const Outcome ended = shell(
      "$xorloom optimize matrix.txt --effort max --store off > out & program=$!; sleep 1; "
      "kill -TERM $program; sleep 0.02; kill -TERM $program; wait $program",
      folder.path());
  CHECK(ended.status == 0);
  CHECK(!folder.read("out").empty());
}

TEST_CASE("Time is kept") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, large_matrix());
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = xorloom({"optimize", path, "--effort", "max", "--seconds", "1"});
  CHECK(outcome.status == 0);
  CHECK(std::chrono::steady_clock::now() - begin >= 900ms);
}

TEST_CASE("Bad matrices and budgets are refused in a sentence") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& content, const std::string& sentence) {
    const std::string path = folder / "matrix.txt";
    write_file(path, content);
    return not_refused(xorloom({"optimize", path}), path + ": " + sentence);
  };
  CHECK(refused("", "there is no matrix: the text is empty") == "");
  CHECK(refused("2 2\n10\n0x\n", "line 3: character 2 is 'x', not 0 or 1") == "");
  CHECK(refused("0 3\n", "line 1: it announces a matrix of 0 rows and 3 columns, which is empty") ==
        "");
  CHECK(refused("1 3\n01\n", "line 2: the row has 2 columns, not the 3 that line 1 announces") ==
        "");
  CHECK(refused("2 1\n1\n", "line 1: it announces 2 rows, but there is 1") == "");
  CHECK(not_refused(xorloom({"optimize", folder / "none"}),
                    "cannot read " + (folder / "none") + ": No such file or directory") == "");
  // A wide row is no mistake; too many ones are.
  write_file(folder / "wide",
             "1 100000\n" + std::string(1000, '1') + std::string(99'000, '0') + "\n");
  const Outcome wide = xorloom({"optimize", folder / "wide", "--effort", "fast"});
  CHECK(wide.status == 0);
  CHECK(has(wide.out, "# cost: 999 XORs"));
  write_file(folder / "dense", "3 100000\n" + std::string(100'000, '1') + "\n" +
                                   std::string(100'000, '1') + "\n" + std::string(100'000, '1') +
                                   "\n");
  CHECK(not_refused(xorloom({"optimize", folder / "dense"}),
                    "a matrix of 300000 ones takes more direct XORs than the 262144 that are "
                    "written as equations") == "");
  write_file(folder / "small", kSmall);
  const std::string path = folder / "small";
  const auto budget = [&](std::vector<std::string> options, const std::string& sentence) {
    options.insert(options.begin(), {"optimize", path});
    return not_refused(xorloom(options), sentence);
  };
  CHECK(budget({"--effort", "max", "--seconds", "0"},
               "--seconds = 0 is not a whole number from 1 to 31536000") == "");
  CHECK(budget({"--effort", "max", "--tries", "0"},
               "--tries = 0 is not a whole number from 1 to 1125899906842624") == "");
  CHECK(budget({"--steps", "5"},  // its old name

               "--tries = 5 needs --effort max, since --effort normal ends by itself") == "");
  CHECK(budget({"--effort", "most"}, "--effort = 'most' is not fast, normal or max") == "");
  CHECK(budget({"--cores", "0"}, "--cores = 0 is not a whole number from 1 to 4096") == "");
  CHECK(not_refused(xorloom({"equations", kWorkedExample, "--seed", "2"}),
                    "--seed needs --style iterative: direct equations are not searched for") == "");
}

TEST_CASE("Columns and rows of zeros take no time to search, however many there are") {
  // Each took minutes or more while time grew with the square of the columns.
  constexpr std::size_t kMany = 3'000'000;
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, std::string(kMany, '0') + "\n");
  const Outcome zeros = xorloom({"optimize", path});
  CHECK(zeros.status == 0);
  CHECK(has(zeros.out, "inputs:  0-2999999\noutputs: 3000000\n\neq. 1: 3000000 = XOR()\n"));
  CHECK(has(zeros.out, "# proof: symbolic"));

  std::string rows = "1" + std::string(kMany - 2, '0') + "1\n";
  rows += "1" + std::string(kMany - 1, '0') + "\n";
  write_file(path, rows);
  const Outcome few = xorloom({"optimize", path, "--cores", "2"});
  CHECK(few.status == 0);
  CHECK(has(few.out, "eq. 1: 3000000 = XOR(0,2999999)\n"));
  CHECK(has(few.out, "# plan on 2 cores: 1 step, 0 moves"));
  CHECK(has(few.out, "# cost: 1 XOR,"));

  std::string column;
  for (std::size_t r = 0; r < kMany / 3; ++r) column += r % 1000 == 0 ? "1\n" : "0\n";
  write_file(path, column);
  CHECK(has(xorloom({"optimize", path}).out, "# cost: 0 XORs"));
}

#ifndef XORLOOM_IS_SANITIZED  // the address sanitizer needs address space of its own
TEST_CASE("A row of zeros takes 5 bytes of memory for each column") {
  if (is_emulated()) return;  // the emulator takes address space, too
  const TemporaryFolder folder;
  write_file(folder / "matrix", std::string(40'000'000, '0') + "\n");
  // 200 MB, the program and its libraries. It took 500 MB and these.
  const Outcome zeros = shell("ulimit -v 300000; $xorloom optimize matrix", folder.path());
  CAPTURE(zeros.err);
  CHECK(zeros.status == 0);
  CHECK(has(zeros.out, "inputs:  0-39999999\noutputs: 40000000\n\neq. 1: 40000000 = XOR()\n"));
}
#endif

TEST_CASE("--seconds holds where setting up a search takes long") {
  constexpr std::size_t kColumns = 400'000;
  constexpr std::size_t kRows = 16;
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  std::string text(kRows * (kColumns + 1), '0');
  for (std::size_t r = 0; r < kRows; ++r) text[(r + 1) * (kColumns + 1) - 1] = '\n';
  // Half of the columns have a one.
  for (std::size_t c = 0; c < kColumns; c += 2) text[c / 2 % kRows * (kColumns + 1) + c] = '1';
  write_file(path, text);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--cores", "4"}, {"--threads", "2"}}) {
    std::vector<std::string> arguments{"optimize",  path, "--effort", "max",
                                       "--seconds", "1",  "--seed",   "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const long before = seconds_of_programs();
    const Outcome outcome = xorloom(arguments);
    CHECK(outcome.status == 0);
    CHECK(has(outcome.out, "# cost: 199984 XORs"));
    CHECK(seconds_of_programs() - before < 20);
  }
}

TEST_CASE("--in-place gives lines without temporaries, alike as text, JSON, C and OpenQASM") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  const std::string matrix = "5 5\n11010\n01101\n00110\n11011\n01001\n";
  write_file(path, matrix);
  const auto in_format = [&](const char* format) {
    const Outcome outcome = xorloom({"optimize", path, "--in-place", "--format", format});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    if (std::string(format) != "json") CHECK(widest_line(outcome.out) <= 80);
    return outcome.out;
  };
  const std::string text = in_format("json");
  const CheckedEquations checked = check_in_place(matrix, text);
  CHECK(checked.flaw == "");
  const auto json = nlohmann::json::parse(text);
  CHECK(json.at("cost").at("xors") == checked.xors);
  CHECK(json.at("cost").at("depth") == checked.depth);

  // The other forms, read line by line.
  struct Form {
    const char* format;
    const char* line;
    bool from_is_first;
  };
  for (const Form& form : {Form{"text", "%d ^= %d", false},
                           {"c", " x%d ^= x%d", false},
                           {"qasm", "cx q[%d], q[%d]", true}}) {
    CAPTURE(form.format);
    auto lines = nlohmann::json::array();
    std::istringstream input(in_format(form.format));
    for (std::string line; std::getline(input, line);) {
      int first = 0, second = 0;
      if (std::sscanf(line.c_str(), form.line, &first, &second) != 2) continue;
      if (form.from_is_first) std::swap(first, second);
      lines.push_back({first, second});
    }
    CHECK(lines == json.at("lines"));
  }
  std::string outputs;
  std::string stores;
  for (std::size_t r = 0; r < 5; ++r) {
    const auto wire = json.at("outputs").at(r).get<std::size_t>();
    outputs += fmt::format("{}{}", r == 0 ? "" : ", ", wire);
    stores += fmt::format("  a[{}] = x{};\n", r, wire);
  }
  CHECK(has(in_format("qasm"), "qubit[5] q;"));
  CHECK(has(in_format("qasm"), "let output = q[{" + outputs + "}];"));
  CHECK(has(in_format("c"), stores));
  CHECK(has(in_format("text"),
            fmt::format("# cost: {} XORs, depth {}", checked.xors, checked.depth)));
}

TEST_CASE("--in-place with --depth bounds the levels of lines that share no wire") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  const std::string matrix =
      "8 8\n11000000\n01100000\n00110000\n00011000\n00001100\n00000110\n"
      "00000011\n00000001\n";
  write_file(path, matrix);
  const auto checked = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"optimize", path, "--in-place", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return check_in_place(matrix, xorloom(arguments).out);
  };
  CHECK(checked({}).flaw == "");
  CHECK(checked({}).xors == 7);
  const CheckedEquations shallow = checked({"--depth", "5"});
  CHECK(shallow.flaw == "");
  CHECK(shallow.depth <= 5);
  CHECK(has(xorloom({"optimize", path, "--in-place", "--depth", "2"}).err,
            "depth = 2 is less than the 3 levels that a circuit in place needs at least"));
}

TEST_CASE(
    "--in-place refuses singular matrices and options about equations, and says the way out") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, kSmall);
  CHECK(has(xorloom({"optimize", path, "--in-place"}).err,
            "a circuit in place needs a square matrix, and this one is 3 x 4: leave out "
            "--in-place, and the equations get temporaries"));
  write_file(path, "3 3\n110\n011\n101\n");
  CHECK(has(xorloom({"optimize", path, "--in-place"}).err,
            "the rank of this 3 x 3 matrix is 2: leave out --in-place"));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--cores", "2"}, {"--model", "lut4"}, {"--store", "off"}}) {
    std::vector<std::string> arguments{"optimize", path, "--in-place"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(has(xorloom(arguments).err, more.front() + " is about equations with temporaries"));
  }
  CHECK(has(xorloom({"optimize", path, "--format", "qasm"}).err,
            "--format qasm shows a circuit in place: give --in-place too"));
  CHECK(has(xorloom({"optimize", path, "--in-place", "--format", "svg"}).err,
            "--format svg draws equations, and --in-place finds lines"));
}

TEST_CASE("--gates finds gates of the lowest price, each equation one gate") {
  const TemporaryFolder folder;
  const std::string path = folder / "matrix.txt";
  write_file(path, large_matrix());
  const auto found = [&](const std::string& prices) {
    const Outcome outcome =
        xorloom({"optimize", path, "--gates", prices, "--effort", "fast", "--format", "json"});
    const CheckedEquations checked = check_equations(large_matrix(), outcome.out);
    CHECK(checked.flaw == "");
    return nlohmann::json::parse(outcome.out);
  };
  const auto json = found("xor2=1,xor3=1.6,xor4=2.2");
  std::map<std::string, std::size_t> counts;
  for (const auto& equation : json.at("equations")) {
    const std::size_t inputs = equation.at("xor").size();
    CHECK(inputs <= 4);
    if (inputs > 1) ++counts[std::to_string(inputs)];
  }
  CHECK(json.at("gates").at("by_inputs") == counts);
  const double price = 1.0 * static_cast<double>(counts["2"]) +
                       1.6 * static_cast<double>(counts["3"]) +
                       2.2 * static_cast<double>(counts["4"]);
  CHECK(json.at("gates").at("price").get<double>() == doctest::Approx(price));
  CHECK(found("avx512").at("gates").at("by_inputs").size() <= 2);
  CHECK(has(xorloom({"optimize", path, "--gates", "lut4", "--effort", "fast"}).out, "# gates: "));
  for (const char* bad : {"xor2", "xor2=0", "xor2=-1", "xor=1", "and2=1", "xor2=1.2345"}) {
    CAPTURE(bad);
    CHECK(has(xorloom({"optimize", path, "--gates", bad}).err, "is not a gate with its price"));
  }
  CHECK(has(xorloom({"optimize", path, "--gates", "xor2=1,xor2=2"}).err,
            "the gate of 2 inputs has two prices"));
  CHECK(has(xorloom({"optimize", path, "--gates", "lut4", "--depth", "9"}).err,
            "--gates is about gates, and --depth about two-input XORs"));
  CHECK(has(xorloom({"optimize", path, "--levels", "1"}).err,
            "--levels is about gates, and needs --gates or --model lut4 or lut6"));
  CHECK(has(xorloom({"optimize", path, "--gates", "xor1=1"}).err, "a gate of 1 input is not"));
}

}  // namespace xorloom::test
