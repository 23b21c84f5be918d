#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using namespace std::chrono_literals;

/// A code that no program comes with.
constexpr const char* kKeptSpec = "cauchy-good:k=6,m=3,w=5";
constexpr const char* kMatrix = "3 4\n1101\n0111\n1111\n";

/// `equations SPEC --style iterative --store <folder>/store` with more options.
Outcome equations(const TemporaryFolder& folder, const std::string& spec,
                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> call{"equations", spec,      "--style",
                                "iterative", "--store", folder / "store"};
  call.insert(call.end(), more.begin(), more.end());
  return xorloom(call);
}

/// Returns the kept equations, without a search.
nlohmann::json kept(const TemporaryFolder& folder, const std::string& spec = kKeptSpec) {
  const Outcome outcome = equations(folder, spec, {"--effort", "fast", "--format", "json"});
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

std::size_t kept_xors(const TemporaryFolder& folder) { return kept(folder)["cost"]["xors"]; }

/// All files below the store.
std::vector<std::string> files_of(const TemporaryFolder& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "store")) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Direct equations as the file of a library of 0.2.0, as one who searched badly.
void keep_direct(const TemporaryFolder& folder, const std::string& search) {
  const Outcome direct = xorloom({"equations", kKeptSpec, "--format", "json"});
  std::string text = direct.out;
  text.replace(text.find("  \"proof\""), 0, "  \"search\": " + search + ",\n");
  std::filesystem::create_directory(folder / "store");
  folder.write("store/cauchy-good_k=6_m=3_w=5.json", text);
}

}  // namespace

TEST_CASE("What was searched is kept, and found again instead of searched, proved") {
  const TemporaryFolder folder;
  const Outcome first = equations(folder, kKeptSpec);
  CHECK(first.status == 0);
  REQUIRE(files_of(folder).size() == 1);
  const std::string path = files_of(folder).front();
  const std::string subject = std::string("xorloom: encoding of ") + kKeptSpec + ": ";
  CHECK(first.err ==
        fmt::format("{}{} XORs, from this search; kept in {}\n", subject, kept_xors(folder), path));
  CHECK(kept(folder)["search"] == nlohmann::json{{"effort", "normal"}, {"seed", 1}});
  const std::string file = read_file(path);

  const Outcome second = equations(folder, kKeptSpec);
  CHECK(second.out == first.out);
  CHECK(second.err ==
        fmt::format("{}{} XORs, from {}\n", subject, kept_xors(folder), folder / "store"));
  CHECK(read_file(path) == file);
  CHECK(equations(folder, kKeptSpec, {"--effort", "fast"}).out == first.out);
}

TEST_CASE("The user's cache keeps what took more than a fast search; off and shipped do not") {
  const TemporaryFolder folder;
  const auto ask = [&](const std::string& more) {
    Outcome outcome = shell(fmt::format("XDG_CACHE_HOME='{}' $xorloom equations {} --style "
                                        "iterative {}",
                                        folder.path().string(), kKeptSpec, more),
                            folder.path());
    CHECK(outcome.status == 0);
    return outcome;
  };
  for (const char* more : {"--effort fast", "--store off -o few.txt", "--store shipped"})
    CHECK(ask(more).err.empty());
  CHECK(has(ask("--effort fast --store few.txt").err, ", from few.txt; this search found "));
  CHECK_FALSE(std::filesystem::exists(folder / "xorloom"));
  const Outcome searched = ask("");
  CHECK(searched.err.empty());
  CHECK(std::filesystem::exists(folder / "xorloom/wisdom"));
  const Outcome again = ask("--effort fast");
  CHECK(again.out == searched.out);
  CHECK(has(again.err, " XORs, from an earlier search\n"));
  // A directory that cannot be read or written is no error.
  CHECK(shell(fmt::format("XDG_CACHE_HOME=/dev/null $xorloom equations {} --style iterative",
                          kKeptSpec),
              folder.path())
            .out == searched.out);
}

TEST_CASE("A library of 0.2.0 is read, taken, and searched on") {
  const nlohmann::json now = {{"effort", "max"}, {"steps", 1000000}, {"seed", 3}};
  const nlohmann::json normal = {{"effort", "normal"}, {"seed", 1}};
  for (const nlohmann::json& search : {nlohmann::json{{"effort", "fast"}, {"seed", 1}}, normal}) {
    CAPTURE(search.dump());
    const TemporaryFolder folder;
    keep_direct(folder, search.dump());
    const std::size_t before = kept_xors(folder);
    const Outcome better =
        equations(folder, kKeptSpec, {"--effort", "max", "--tries", "1000000", "--seed", "3"});
    CHECK(better.status == 0);
    CHECK(has(better.err, fmt::format(" XORs, from this search; {} had {} XORs; kept in ",
                                      folder / "store", before)));
    CHECK(kept_xors(folder) < before);
    CHECK(kept(folder)["search"] == (search == normal ? normal : now));
  }
}

TEST_CASE("What is no regular file is not waited for") {
  const TemporaryFolder folder;
  const std::string entry = folder / "store/cauchy-good_k=6_m=3_w=5.json";
  REQUIRE(shell("mkdir store && mkfifo '" + entry + "'", folder.path()).status == 0);
  CHECK(not_refused(equations(folder, kKeptSpec),
                    entry + " holds no equations: it is not a regular file") == "");
}

TEST_CASE(
    "A search of another seed that finds none better leaves what is kept, and how it was made") {
  const TemporaryFolder folder;
  REQUIRE(equations(folder, kKeptSpec, {"--effort", "max", "--tries", "3000000"}).status == 0);
  const nlohmann::json before = kept(folder);
  const Outcome more =
      equations(folder, kKeptSpec, {"--effort", "max", "--tries", "1000", "--seed", "2"});
  CHECK(more.status == 0);
  CHECK(has(more.err, fmt::format(": {} XORs, from {}; this search found ", kept_xors(folder),
                                  folder / "store")));
  CHECK(kept(folder)["equations"] == before["equations"]);
  CHECK(kept(folder)["search"] == before["search"]);
}

TEST_CASE("A search that was cut short is no longer one of normal effort") {
  const TemporaryFolder folder;
  const std::string spec = "cauchy-good:k=5,m=3,w=7";
  REQUIRE(equations(folder, spec, {"--effort", "max", "--tries", "1"}).status == 0);
  CHECK(has(equations(folder, spec, {"--effort", "normal"}).err, "this search"));
}

TEST_CASE("What is least is taken, however little was spent on it") {
  const TemporaryFolder folder;
  const std::string least = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";
  CHECK(has(equations(folder, least).err, "24 XORs"));
  CHECK(has(equations(folder, least, {"--effort", "max", "--tries", "1000000000000"}).err,
            ": 24 XORs, from "));
}

TEST_CASE("A search that Ctrl-C ends is kept with the time that it had") {
  const TemporaryFolder folder;
  const std::string spec = "cauchy-good:k=8,m=3,w=7";
  const Outcome ended =
      xorloom_ended({"equations", spec, "--style", "iterative", "--store", folder / "store",
                     "--effort", "max", "--tries", "1000000000000"},
                    {.signal = SIGINT, .computed = 500ms});
  CHECK(ended.status == 0);
  CHECK(has(ended.err, "; kept in "));
  const nlohmann::json search = kept(folder, spec)["search"];
  CHECK(!search.contains("steps"));
  CHECK(search.value("seconds", std::size_t{0}) < 60);
}

TEST_CASE("What is no better than what is kept is not said to be kept") {
  const TemporaryFolder folder;
  REQUIRE(has(equations(folder, kKeptSpec).err, "; kept in "));
  const std::string path = files_of(folder).front();
  const std::string file = read_file(path);
  const Outcome again = equations(folder, kKeptSpec, {"--seed", "2"});
  CHECK(has(again.err, "; this search found none better; " + path + " already has some as good"));
  CHECK(read_file(path) == file);
}

TEST_CASE("A file that holds nothing for a question is named as such") {
  const TemporaryFolder folder;
  const std::string path = folder / "e.json";
  REQUIRE(xorloom({"equations", kKeptSpec, "--format", "json", "-o", path}).status == 0);
  const std::vector<std::string> call{"equations", kKeptSpec, "--style", "iterative",
                                      "--effort",  "fast",    "--store", path};
  CHECK(!has(xorloom(call).err, "holds nothing"));
  std::vector<std::string> decoding = call;
  decoding.insert(decoding.end(), {"--erase", "0"});
  CHECK(has(xorloom(decoding).err, "; " + path + " holds nothing for this\n"));
}

TEST_CASE("A command of several searches names each, and says whose equations it takes") {
  const TemporaryFolder folder;
  const std::vector<std::string> call{
      "emit",    kKeptSpec,        "--target", "c",   "--style", "iterative", "--effort", "fast",
      "--store", folder / "store", "--erase",  "0,3", "--erase", "1",         "--update", "2"};
  const std::string first = xorloom(call).err;
  const std::string again = xorloom(call).err;
  const std::string code = std::string(" of ") + kKeptSpec + ": ";
  for (const std::string request :
       {"encoding", "loss of locations 0,3", "loss of location 1", "update of location 2"}) {
    CAPTURE(request);
    const std::string begin = "xorloom: " + request + code;
    REQUIRE(has(first, begin));
    const std::string line = first.substr(first.find(begin));
    CHECK(has(line.substr(0, line.find('\n')), " XORs, from this search; kept in "));
    REQUIRE(has(again, begin));
    const std::string kept = again.substr(again.find(begin));
    CHECK(kept.substr(0, kept.find('\n')).ends_with(" XORs, from " + (folder / "store")));
  }
}

TEST_CASE("Ctrl-C ends all searches of a command, and the search for tables with its start") {
  const std::string spec = "cauchy-good:k=8,m=3,w=7";
  const std::vector<std::string> endless{"--style",  "iterative", "--store", "off",
                                         "--effort", "max",       "--tries", "1000000000000"};
  for (std::vector<std::string> call :
       {std::vector<std::string>{"equations", spec, "--model", "lut4"},
        {"emit", spec, "--target", "c", "--erase", "0-2", "--erase", "1-3"}}) {
    CAPTURE(call.front());
    call.insert(call.end(), endless.begin(), endless.end());
    const auto begin = std::chrono::steady_clock::now();
    const Outcome ended = xorloom_ended(call, {.signal = SIGINT, .computed = 500ms});
    CHECK(ended.status == 0);
    CHECK(std::chrono::steady_clock::now() - begin < 60s);
    CHECK(ended.err.ends_with("s; these are the best equations so far\n"));
    CHECK(std::ranges::count(ended.err, '\n') == 1);
    CHECK(!ended.out.empty());
  }
}

TEST_CASE("The same steps and seed from an empty store give the same file with any threads") {
  std::string files[2];
  for (const int threads : {1, 2}) {
    const TemporaryFolder folder;
    REQUIRE(equations(
                folder, kKeptSpec,
                {"--effort", "max", "--tries", "2000000", "--threads", fmt::format("{}", threads)})
                .status == 0);
    files[threads - 1] = read_file(files_of(folder).front());
  }
  CHECK(!files[0].empty());
  CHECK(files[0] == files[1]);
}

TEST_CASE("Each thing that can be asked for has a file of its own, packets of any size the same") {
  const TemporaryFolder folder;
  const std::vector<std::string> fast{"--effort", "fast"};
  const auto ask = [&](const std::string& spec, std::vector<std::string> more) {
    more.insert(more.end(), fast.begin(), fast.end());
    Outcome outcome = equations(folder, spec, more);
    CHECK(outcome.status == 0);
    return outcome;
  };
  const std::vector<std::vector<std::string>> requests = {
      {},
      {"--erase", "3,0"},
      {"--erase", "0,3", "--want", "3"},
      {"--update", "2"},
      {"--rows", "0-1,3"},
      {"--cores", "3"},
      {"--cores", "2"},
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CAPTURE(i);
    const Outcome first = ask(kKeptSpec, requests[i]);
    CHECK(files_of(folder).size() == i + 1);
    const Outcome again = ask(kKeptSpec, requests[i]);
    CHECK(has(again.err, fmt::format(", from {}\n", folder / "store")));
    CHECK(again.out == first.out);
  }
  CHECK(has(ask("cauchy-good:k=6,m=3,w=5,packet_bytes=512", {}).out, "packet_bytes=512"));
  CHECK(files_of(folder).size() == requests.size());
  // Fewest reads are other equations only where other cells are read.
  CHECK(has(ask(kKeptSpec, {"--erase", "0", "--reads", "min"}).out, "# reads"));
}

TEST_CASE("A record that is damaged or computes something else is searched again and replaced") {
  const TemporaryFolder folder;
  const Outcome first = equations(folder, kKeptSpec);
  const std::string path = files_of(folder).front();
  const std::string good = read_file(path);
  for (const std::size_t at :
       sample_unless_whole<std::size_t>({good.size() / 2, 0, good.size() - 1}, 1)) {
    CAPTURE(at);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    write_file(path, bad);
    const Outcome again = equations(folder, kKeptSpec);
    CHECK(again.out == first.out);
    CHECK(has(again.err, "; kept in "));
    CHECK(read_file(path) == good);
  }
}

TEST_CASE("A file of a library of 0.2.0 that does not hold is refused with the reason") {
  const TemporaryFolder folder;
  keep_direct(folder, R"({"effort":"normal","seed":1})");
  const std::string file = "store/cauchy-good_k=6_m=3_w=5.json";
  const std::string good = folder.read(file);
  const auto refused = [&](const std::string& text, const std::string& part) {
    folder.write(file, text);
    const Outcome outcome = equations(folder, kKeptSpec);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(has(outcome.err, "xorloom: error: " + (folder / file) + ": "));
    CHECK(has(outcome.err, part));
    CHECK(folder.read(file) == text);
  };
  nlohmann::json wrong = nlohmann::json::parse(good);
  wrong["equations"].back()["xor"].erase(0);
  refused(wrong.dump(), "the equations are not those of cauchy-good:k=6,m=3,w=5");
  refused(good.substr(0, good.size() / 2), "not JSON");
  refused(xorloom({"equations", kKeptSpec, "--erase", "0", "--format", "json"}).out,
          "the equations compute something other than was asked for");
  refused(xorloom({"equations", "cauchy-good:k=5,m=3,w=5", "--format", "json"}).out,
          "the equations are of 8 locations of 5 rows, not 9 of 5");
  const Outcome one = xorloom({"equations", kKeptSpec, "--erase", "0", "--format", "json"});
  folder.write("store/cauchy-good_k=6_m=3_w=5_erase=0-1_want=0.json", one.out);
  const Outcome both = equations(folder, kKeptSpec, {"--erase", "0,1", "--want", "0"});
  CHECK(both.status == 2);
  CHECK(has(both.err, "the equations read element 5 of a lost location"));
}

TEST_CASE("Matrices and sites are kept, too") {
  const TemporaryFolder folder;
  folder.write("matrix.txt", kMatrix);
  const std::vector<std::string> call{"optimize", folder / "matrix.txt", "--store",
                                      folder / "store"};
  const Outcome first = xorloom(call);
  CHECK(has(first.out, "# cost: 4 XORs"));
  REQUIRE(files_of(folder).size() == 1);
  const Outcome second = xorloom(call);
  CHECK(second.out == first.out);
  CHECK(has(second.err, "xorloom: matrix: 4 XORs, from "));

  const std::vector<std::string> sites{"--erase", "0", "--groups", "0-2/3-5/6-8"};
  const Outcome split = equations(folder, kKeptSpec, sites);
  CHECK(split.status == 0);
  CHECK(has(split.err, "kept in "));
  const Outcome again = equations(folder, kKeptSpec, sites);
  CHECK(again.out == split.out);
  CHECK(!has(again.err, "kept in"));
}

TEST_CASE("emit takes its equations from the store, by its old name, too") {
  for (const char* option : {"--store", "--library"}) {
    CAPTURE(option);
    const TemporaryFolder folder;
    keep_direct(folder, R"({"effort":"normal","seed":1})");
    const Outcome emitted = xorloom({"emit", kKeptSpec, "--target", "c", "--style", "iterative",
                                     option, folder / "store", "--erase", "1"});
    CHECK(emitted.status == 0);
    CHECK(has(emitted.err, fmt::format(", from {}\n", folder / "store")));
    CHECK(has(emitted.out, fmt::format("from 0-5: {} XORs.", kept_xors(folder))));
  }
}

TEST_CASE("A file of equations and an atlas are stores, whose equations are kept") {
  const TemporaryFolder folder;
  REQUIRE(xorloom({"equations", kKeptSpec, "--style", "iterative", "--format", "json", "-o",
                   folder / "equations.json"})
              .status == 0);
  REQUIRE(xorloom({"atlas", kKeptSpec, "-o", folder / "atlas"}).status == 0);
  for (const char* name : {"atlas", "equations.json"}) {
    CAPTURE(name);
    const Outcome outcome =
        equations(folder, kKeptSpec, {"--effort", "fast", "--store", folder / name});
    CHECK(outcome.status == 0);
    CHECK(has(outcome.err, ", from " + (folder / name)));
    CHECK(files_of(folder).size() == 1);
  }
  CHECK(equations(folder, kKeptSpec,
                  {"--effort", "fast", "--erase", "0,3", "--store", folder / "atlas"})
            .status == 0);
  CHECK(files_of(folder).size() == 2);
  const Outcome other = equations(folder, "cauchy-good:k=5,m=3,w=5", {"--store", folder / "atlas"});
  CHECK(other.status == 2);
  CHECK(has(other.err, "cauchy-good:k=6,m=3,w=5"));
}

TEST_CASE("A store that cannot be written is read, and what is not kept is said") {
  for (const std::string& place : {std::string(XORLOOM_PROGRAM) + "/store",
                                   std::string("/proc/self"), std::string("/proc/none/store")}) {
    CAPTURE(place);
    const Outcome outcome = xorloom(
        {"equations", kKeptSpec, "--style", "iterative", "--effort", "fast", "--store", place});
    CHECK(outcome.status == 0);
    CHECK(has(outcome.out, "# proof: symbolic"));
    CHECK(has(outcome.err, "; not kept: " + place + " cannot be written\n"));
  }
  // Missing parents of the directory are made, too.
  const TemporaryFolder folder;
  const std::string deep = folder / "new/store";
  CHECK(has(
      xorloom({"equations", kKeptSpec, "--style", "iterative", "--effort", "fast", "--store", deep})
          .err,
      "kept in " + deep));
}

TEST_CASE("A program keeps the longest search behind it, and a longer one ends those it covers") {
  const TemporaryFolder folder;
  const auto search = [&](const std::vector<std::string>& how) {
    REQUIRE(equations(folder, kKeptSpec, how).status == 0);
    return kept(folder)["search"];
  };
  const nlohmann::json longest = {{"effort", "max"}, {"steps", 30'000'000}, {"seed", 1}};
  CHECK(search({"--effort", "max", "--tries", "30000000"}) == longest);
  CHECK(search({"--effort", "normal", "--seed", "7"}) == longest);
  CHECK(search({"--effort", "max", "--seconds", "1"}) == longest);
  CHECK(search({"--effort", "max", "--tries", "1000", "--seed", "3"}) == longest);
  CHECK(has(equations(folder, kKeptSpec, {"--effort", "max", "--tries", "20000000"}).err,
            "XORs, from " + (folder / "store") + "\n"));
}

TEST_CASE("One directory and one file can be stores of a command") {
  const TemporaryFolder folder;
  folder.write("first.txt", "");
  folder.write("second.txt", "");
  const auto stores = [&](const std::string& first, const std::string& second) {
    return xorloom(
        {"equations", kKeptSpec, "--style", "iterative", "--store", first, "--store", second});
  };
  const auto check = [&](const std::string& first, const std::string& second, const char* most) {
    CHECK(not_refused(stores(first, second),
                      fmt::format("--store = {} and --store = {}: a command takes {}", first,
                                  second, most)) == "");
  };
  check(folder / "one", folder / "two", "one of user, shipped, off and DIR");
  check("off", folder / "two", "one of user, shipped, off and DIR");
  check(folder / "first.txt", folder / "second.txt", "one file");
}

TEST_CASE("Where nothing is kept by design, no line says that it is not kept") {
  const TemporaryFolder folder;
  REQUIRE(xorloom({"equations", "rs:2,1", "-o", folder / "few.txt"}).status == 0);
  for (const char* place : {"shipped", "off"}) {
    CAPTURE(place);
    const Outcome outcome =
        xorloom({"equations", "cauchy:3,2,3", "--style", "iterative", "--effort", "fast", "--store",
                 place, "--store", folder / "few.txt"});
    CHECK(outcome.status == 0);
    CHECK(has(outcome.err, "search; " + (folder / "few.txt") + " holds nothing for this\n"));
  }
}

TEST_CASE("A mistyped file is no new store, by the old names of --store either") {
  const TemporaryFolder folder;
  folder.write("file", "text");
  const std::string missing = folder / "missing.json";
  const std::string not_there = "error: --store = " + missing + " is not there; ";
  for (const char* option : {"--store", "--library"}) {
    CAPTURE(option);
    const Outcome outcome =
        xorloom({"equations", kKeptSpec, "--style", "iterative", option, missing});
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, not_there));
    CHECK(not_refused(xorloom({"equations", kKeptSpec, option, folder / "store"}),
                      "--store needs --style iterative: direct equations are not searched for") ==
          "");
  }
  for (const char* option : {"--store", "--wisdom"}) {
    CAPTURE(option);
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"bench", "parity:k=3", "--explain"},
          std::vector<std::string>{"verify", folder.path()},
          std::vector<std::string>{"codes", "--suggest", "4,2"}}) {
      std::vector<std::string> typed = call;
      typed.insert(typed.end(), {option, missing});
      const Outcome outcome = xorloom(typed);
      CHECK(outcome.status == 4);
      CHECK(has(outcome.err, not_there));
    }
    CHECK(not_refused(xorloom({"codes", "--suggest", "4,2", option, folder / "file"}),
                      "--store = " + (folder / "file") + " is a file, not a directory") == "");
  }
  CHECK_FALSE(std::filesystem::exists(missing));
}

TEST_CASE("A store goes with one set of equations that are searched") {
  const TemporaryFolder folder;
  CHECK(not_refused(equations(folder, kKeptSpec, {"--cores", "2", "--front"}),
                    "--store keeps one set of equations, and --front gives several") == "");
  CHECK(not_refused(xorloom({"equations", kKeptSpec, "--store", folder / "store"}),
                    "--store needs --style iterative: direct equations are not searched for") ==
        "");
}

}  // namespace xorloom::test
