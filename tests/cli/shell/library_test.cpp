#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kKeptSpec = "cauchy-good:k=6,m=3,w=4";
constexpr const char* kName = "cauchy-good_k=6_m=3_w=4.json";
constexpr const char* kMatrix = "3 4\n1101\n0111\n1111\n";

/// `equations SPEC --style iterative --library <folder>/library` with more options.
Outcome equations(const TemporaryFolder& folder, const std::string& spec,
                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> call{"equations", spec,        "--style",
                                "iterative", "--library", folder / "library"};
  call.insert(call.end(), more.begin(), more.end());
  return xorloom(call);
}

nlohmann::json kept(const TemporaryFolder& folder, const std::string& name = kName) {
  return nlohmann::json::parse(folder.read("library/" + name));
}

std::size_t kept_xors(const TemporaryFolder& folder) { return kept(folder)["cost"]["xors"]; }

/// Puts direct equations where those of few XORs are kept, as one who searched badly.
void keep_direct(const TemporaryFolder& folder, const std::string& search) {
  const Outcome direct = xorloom({"equations", kKeptSpec, "--format", "json"});
  std::string text = direct.out;
  text.replace(text.find("  \"proof\""), 0, "  \"search\": " + search + ",\n");
  std::filesystem::create_directory(folder / "library");
  folder.write(fmt::format("library/{}", kName), text);
}

}  // namespace

TEST_CASE("What was searched is kept, and found again instead of searched, proved") {
  const TemporaryFolder folder;
  const Outcome first = equations(folder, kKeptSpec);
  CHECK(first.status == 0);
  CHECK(has(first.err, "xorloom: kept in "));
  CHECK(folder.names("library") == std::vector<std::string>{kName});
  CHECK(kept(folder)["search"] == nlohmann::json{{"effort", "normal"}, {"seed", 1}});
  const std::string file = folder.read(std::string("library/") + kName);

  const Outcome second = equations(folder, kKeptSpec);
  CHECK(second.out == first.out);
  CHECK(second.err == fmt::format("xorloom: from {}/{}, {} XORs, proved\n", folder / "library",
                                  kName, kept_xors(folder)));
  CHECK(folder.read(std::string("library/") + kName) == file);
  CHECK(equations(folder, kKeptSpec, {"--effort", "fast"}).out == first.out);
}

TEST_CASE("What was kept is taken, not searched: what is printed is what the file says") {
  const TemporaryFolder folder;
  keep_direct(folder, R"({"effort":"normal","seed":1})");
  const Outcome taken = equations(folder, kKeptSpec, {"--format", "json"});
  REQUIRE(taken.status == 0);
  const auto direct =
      nlohmann::json::parse(xorloom({"equations", kKeptSpec, "--format", "json"}).out);
  CHECK(nlohmann::json::parse(taken.out)["equations"] == direct["equations"]);
}

TEST_CASE("What is no regular file is not waited for") {
  const TemporaryFolder folder;
  const std::string entry = folder / "library/" + kName;
  REQUIRE(shell("mkdir library && mkfifo '" + entry + "'", folder.path()).status == 0);
  CHECK(not_refused(equations(folder, kKeptSpec),
                    entry + " holds no equations: it is not a regular file") == "");
}

TEST_CASE("Equations on which less was spent are searched on, and better ones replace them") {
  for (const char* search : {R"({"effort":"fast","seed":1})", R"({"effort":"normal","seed":1})"}) {
    CAPTURE(search);
    const TemporaryFolder folder;
    keep_direct(folder, search);
    const std::size_t before = kept_xors(folder);
    const Outcome better =
        equations(folder, kKeptSpec, {"--effort", "max", "--steps", "1000000", "--seed", "3"});
    CHECK(better.status == 0);
    CHECK(has(better.err, fmt::format(", {} before\n", before)));
    CHECK(kept_xors(folder) < before);
    CHECK(kept(folder)["search"] ==
          nlohmann::json{{"effort", "max"}, {"steps", 1000000}, {"seed", 3}});
  }
}

TEST_CASE(
    "A search of another seed that finds none better leaves what is kept, and how it was made") {
  const TemporaryFolder folder;
  REQUIRE(equations(folder, kKeptSpec, {"--effort", "max", "--steps", "3000000"}).status == 0);
  const nlohmann::json before = kept(folder);
  const Outcome more =
      equations(folder, kKeptSpec, {"--effort", "max", "--steps", "1000", "--seed", "2"});
  CHECK(more.status == 0);
  CHECK(has(more.err, "xorloom: none better than "));
  CHECK(kept(folder)["equations"] == before["equations"]);
  CHECK(kept(folder)["search"] == before["search"]);
}

TEST_CASE("A search that was cut short is no longer one of normal effort") {
  const TemporaryFolder folder;
  REQUIRE(
      equations(folder, "cauchy-good:k=5,m=3,w=8", {"--effort", "max", "--steps", "1"}).status ==
      0);
  const Outcome normal = equations(folder, "cauchy-good:k=5,m=3,w=8", {"--effort", "normal"});
  CHECK(has(normal.err, "xorloom: kept in "));
  CHECK(has(normal.err, " before"));
}

TEST_CASE("What is least is taken, however little was spent on it") {
  const TemporaryFolder folder;
  const std::string least = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";
  CHECK(has(equations(folder, least).err, "24 XORs"));
  CHECK(has(equations(folder, least, {"--effort", "max", "--steps", "1000000000000"}).err,
            "xorloom: from "));
}

TEST_CASE("A search that Ctrl-C ends is kept with the time that it had") {
  const TemporaryFolder folder;
  const Outcome ended =
      xorloom_ended({"equations", "cauchy-good:k=8,m=3,w=8", "--style", "iterative", "--library",
                     folder / "library", "--effort", "max", "--steps", "1000000000000"},
                    {.signal = SIGINT, .computed = 500ms});
  CHECK(ended.status == 0);
  CHECK(has(ended.err, "xorloom: kept in "));
  const nlohmann::json search = kept(folder, "cauchy-good_k=8_m=3_w=8.json")["search"];
  CHECK(!search.contains("steps"));
  CHECK(search["seconds"].get<std::size_t>() < 60);
}

TEST_CASE("The same steps and seed from an empty library give the same file with any threads") {
  std::string files[2];
  for (const int threads : {1, 2}) {
    const TemporaryFolder folder;
    REQUIRE(equations(
                folder, kKeptSpec,
                {"--effort", "max", "--steps", "2000000", "--threads", fmt::format("{}", threads)})
                .status == 0);
    files[threads - 1] = folder.read(std::string("library/") + kName);
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
  ask(kKeptSpec, {});
  CHECK(has(ask("cauchy-good:k=6,m=3,w=4,packet_bytes=512", {}).out, "packet_bytes=512"));
  ask(kKeptSpec, {"--erase", "3,0"});
  ask(kKeptSpec, {"--erase", "0,3", "--want", "3"});
  ask(kKeptSpec, {"--erase", "0", "--reads", "min"});
  ask(kKeptSpec, {"--update", "2"});
  ask(kKeptSpec, {"--rows", "0-1,3"});
  ask(kKeptSpec, {"--cores", "3"});
  CHECK(folder.names("library") == std::vector<std::string>{
                                       kName,
                                       "cauchy-good_k=6_m=3_w=4_cores=3.json",
                                       "cauchy-good_k=6_m=3_w=4_erase=0+3.json",
                                       "cauchy-good_k=6_m=3_w=4_erase=0+3_want=3.json",
                                       "cauchy-good_k=6_m=3_w=4_erase=0_reads=min.json",
                                       "cauchy-good_k=6_m=3_w=4_rows=0-1+3.json",
                                       "cauchy-good_k=6_m=3_w=4_update=2.json",
                                   });
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--erase", "0,3"}, {"--update", "2"}, {"--cores", "3"}, {"--rows", "0,1,3"}}) {
    CAPTURE(more.front());
    CHECK(has(ask(kKeptSpec, more).err, "xorloom: from "));
  }
}

TEST_CASE("What a library says is not trusted: what does not hold is refused with the reason") {
  const TemporaryFolder folder;
  REQUIRE(equations(folder, kKeptSpec, {"--effort", "fast"}).status == 0);
  const std::string file = std::string("library/") + kName;
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
  refused(wrong.dump(), "the equations are not those of cauchy-good:k=6,m=3,w=4");
  refused(good.substr(0, good.size() / 2), "not JSON");
  refused(xorloom({"equations", kKeptSpec, "--erase", "0", "--format", "json"}).out,
          "the equations compute something other than was asked for");
  refused(xorloom({"equations", "cauchy-good:k=5,m=3,w=4", "--format", "json"}).out,
          "the equations are of 8 locations of 4 rows, not 9 of 4");
  folder.write(file, good);
  CHECK(equations(folder, kKeptSpec, {"--effort", "fast"}).status == 0);
}

TEST_CASE("A repair is not taken from equations that read a lost chunk") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "library");
  const Outcome one = xorloom({"equations", kKeptSpec, "--erase", "0", "--format", "json"});
  folder.write("library/cauchy-good_k=6_m=3_w=4_erase=0-1_want=0.json", one.out);
  const Outcome both = equations(folder, kKeptSpec, {"--erase", "0,1", "--want", "0"});
  CHECK(both.status == 2);
  CHECK(has(both.err, "the equations read element 4 of a lost location"));
}

TEST_CASE("Matrices and sites are kept by a checksum of what they are") {
  const TemporaryFolder folder;
  folder.write("matrix.txt", kMatrix);
  const std::vector<std::string> call{"optimize", folder / "matrix.txt", "--library",
                                      folder / "library"};
  const Outcome first = xorloom(call);
  CHECK(has(first.out, "# cost: 4 XORs"));
  REQUIRE(folder.names("library").size() == 1);
  CHECK(folder.names("library").front().starts_with("matrix_3x4_"));
  const Outcome second = xorloom(call);
  CHECK(second.out == first.out);
  CHECK(has(second.err, "xorloom: from "));

  const std::vector<std::string> sites{"--erase", "0", "--groups", "0-2/3-5/6-8"};
  const Outcome split = equations(folder, kKeptSpec, sites);
  CHECK(split.status == 0);
  CHECK(has(split.err, "xorloom: kept in "));
  const Outcome again = equations(folder, kKeptSpec, sites);
  CHECK(again.out == split.out);
  CHECK(!has(again.err, "kept in"));
}

TEST_CASE("emit takes its equations from the library") {
  const TemporaryFolder folder;
  keep_direct(folder, R"({"effort":"normal","seed":1})");
  const Outcome emitted = xorloom({"emit", kKeptSpec, "--target", "c", "--style", "iterative",
                                   "--library", folder / "library", "--erase", "1"});
  CHECK(emitted.status == 0);
  CHECK(has(emitted.err, "xorloom: from "));
  CHECK(has(emitted.out, fmt::format("from 0-5: {} XORs.", kept_xors(folder))));
  CHECK(folder.names("library").size() == 2);
}

TEST_CASE("A library that cannot be written is read, and what is not kept is said") {
  const TemporaryFolder folder;
  const Outcome file = xorloom({"equations", kKeptSpec, "--style", "iterative", "--effort", "fast",
                                "--library", std::string(XORLOOM_PROGRAM) + "/library"});
  CHECK(file.status == 2);
  CHECK(has(file.err, "cannot be a library"));
  folder.write("plain", "");
  CHECK(has(xorloom({"equations", kKeptSpec, "--style", "iterative", "--effort", "fast",
                     "--library", folder / "plain"})
                .err,
            "plain cannot be a library: it is not a directory"));
  const Outcome proc = xorloom({"equations", kKeptSpec, "--style", "iterative", "--effort", "fast",
                                "--library", "/proc/self"});
  CHECK(proc.status == 0);
  CHECK(has(proc.out, "# proof: symbolic"));
  CHECK(has(proc.err, "xorloom: not kept: "));
}

TEST_CASE("A library goes with one set of equations that are searched") {
  const TemporaryFolder folder;
  CHECK(not_refused(equations(folder, kKeptSpec, {"--cores", "2", "--front"}),
                    "--library keeps one set of equations, and --front gives several") == "");
  CHECK(not_refused(xorloom({"equations", kKeptSpec, "--library", folder / "library"}),
                    "search options need --style iterative: direct equations share nothing") == "");
}

}  // namespace xorloom::test
