#include "runtime/store/store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/cores/tailor.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/search/optimize.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/kernels/isa.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/temporary_folder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSpec = "cauchy-good:k=4,m=3,w=5";

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

OrderedProgram entry_of_code(const char* spec, Effort effort) {
  const Code code = make_code(spec);
  const Program program = without_places(direct_program(code, encoding_map(code)));
  return {program, program, effort};
}

ProgramKey key_of(const char* spec) {
  const Code code = make_code(spec);
  return program_key(direct_program(code, encoding_map(code)), 3);
}

/// The redundancy that a codec writes, all chunks one after the other.
std::vector<std::uint8_t> encoded(const Options& options, const char* spec = kSpec) {
  const Codec codec(spec, options);
  const std::size_t chunk_bytes = 3 * codec.chunk_multiple();
  Stripe stripe(codec.info().locations, chunk_bytes, 5);
  CHECK(codec.encoding().run(stripe.chunks(), chunk_bytes) == Status::kOk);
  CHECK(stripe.guards_intact());
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = codec.info().k; i < stripe.locations(); ++i) {
    bytes.insert(bytes.end(), stripe.chunk(i).begin(), stripe.chunk(i).end());
  }
  return bytes;
}

Options with_store(const std::string& place) {
  Options options;
  options.wisdom = place;
  return options;
}

bool has_machine_code() { return vector_machine(machine_isas().back()).has_value(); }

}  // namespace

TEST_CASE("What is kept is found, and more effort takes the place of less") {
  const TemporaryFolder folder;
  const Store store(folder.path().string());
  const ProgramKey key = key_of(kSpec);
  CHECK_FALSE(store.find(key, Effort::kFast));
  store.keep(key, entry_of_code(kSpec, Effort::kNormal));
  store.keep(key, entry_of_code(kSpec, Effort::kQuick));
  const auto found = Store(folder.path().string()).find(key, Effort::kFast);
  REQUIRE(found);
  CHECK(found->effort == Effort::kNormal);
  CHECK(found->equations == entry_of_code(kSpec, Effort::kNormal).equations);
  CHECK_FALSE(store.find(key, Effort::kMax));
  CHECK_FALSE(store.find({key.map, 2}, Effort::kFast));
  store.forget(key);
  CHECK_FALSE(store.find(key, Effort::kFast));
  CHECK(files_below(folder.path()).empty());
}

TEST_CASE("No byte of a file can change unnoticed, and a shorter file is none") {
  const TemporaryFolder folder;
  const Store store(folder.path().string());
  const ProgramKey key = key_of("cauchy:k=2,m=2,w=2");
  store.keep(key, entry_of_code("cauchy:k=2,m=2,w=2", Effort::kQuick));
  const std::string path = fs::relative(store.path_of(key), folder.path()).string();
  const std::string whole = folder.read(path);
  REQUIRE(whole.size() > 50);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    folder.write(path, changed);
    CAPTURE(i);
    CHECK_FALSE(store.find(key, Effort::kFast));
    folder.write(path, whole.substr(0, i));
    CHECK_FALSE(store.find(key, Effort::kFast));
  }
  folder.write(path, whole + "x");
  CHECK_FALSE(store.find(key, Effort::kFast));
  // A damaged entry is replaced.
  store.keep(key, entry_of_code("cauchy:k=2,m=2,w=2", Effort::kQuick));
  CHECK(store.find(key, Effort::kFast));
}

TEST_CASE("Equations of few XORs are kept with their plan and search, and no byte can change") {
  const TemporaryFolder folder;
  const Store store(folder.path().string());
  const Program direct = direct_encoding(make_code("cauchy:k=2,m=2,w=2"));
  const TailoredProgram tailored = tailor_to_cores(direct, 2);
  const ProgramKey key = *few_xors_key(direct, 2);
  CHECK(key != *few_xors_key(direct, 0));
  CHECK(key != *few_xors_key(direct, 3));
  const FewGates gates{GatePrices::uniform(4)};
  CHECK(key != *few_xors_key(direct, 0, gates));
  CHECK(*few_xors_key(direct, 0) != *few_xors_key(direct, 0, gates));
  CHECK(*few_xors_key(direct, 0, gates) != *few_xors_key(direct, 0, FewGates{gates.prices, 3}));
  CHECK(*few_xors_key(direct, 0, gates) !=
        *few_xors_key(direct, 0, FewGates{GatePrices::uniform(6)}));
  CHECK(few_xors_key(direct, 0)->map == program_key(direct, 2).map);
  FewXors equations{without_places(tailored.program), {}, {"max", 7, std::nullopt, 3}};
  equations.plan = schedule_on_cores(equations.program, 2);
  REQUIRE(store.keep(key, equations));
  const auto found = store.own_few_xors(key);
  REQUIRE(found);
  CHECK(found->program == equations.program);
  CHECK(found->plan == equations.plan);
  CHECK(found->search == equations.search);
  CHECK_FALSE(store.shipped_few_xors(key));
  const std::string path = fs::relative(store.path_of(key), folder.path()).string();
  const std::string whole = folder.read(path);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    folder.write(path, changed);
    CAPTURE(i);
    CHECK_FALSE(store.own_few_xors(key));
    folder.write(path, whole.substr(0, i));
    CHECK_FALSE(store.own_few_xors(key));
  }
  CHECK_FALSE(Store("/proc/none").keep(key, equations));
  CHECK_FALSE(Store("off").keep(key, equations));
}

TEST_CASE("A codec begins with equations of few XORs, and forgets those that do not hold") {
  const auto expected = encoded(with_store("off"));
  const Program direct = direct_encoding(make_code(kSpec));
  const ProgramKey key = *few_xors_key(direct, 0);
  FewXors few{without_places(optimize(direct)), {}, {}};
  for (const Isa isa :
       test::sample_unless_whole<Isa>({Codec("parity:k=2").info().isa, Isa::kPortable}, 1)) {
    const TemporaryFolder folder;
    Options options = with_store(folder.path().string());
    options.isa = isa;
    options.effort = Effort::kNormal;
    REQUIRE(Store(options.wisdom).keep(key, few));
    CHECK(encoded(options) == expected);
    CHECK(Store(options.wisdom).own_few_xors(key));
    FewXors wrong = few;
    wrong.program.equations.back().operands.pop_back();
    const TemporaryFolder other;
    options.wisdom = other.path().string();
    REQUIRE(Store(options.wisdom).keep(key, wrong));
    CHECK(encoded(options) == expected);
    CHECK_FALSE(Store(options.wisdom).own_few_xors(key));
  }
}

TEST_CASE("A codec keeps what it has searched, and the bytes are the same") {
  if (!has_machine_code()) return;
  const TemporaryFolder folder;
  const auto expected = encoded(with_store("off"));
  CHECK(encoded(with_store(folder.path().string())) == expected);
  REQUIRE(files_below(folder.path()).size() == 1);
  const fs::path path = files_below(folder.path()).front();
  const fs::file_time_type time = fs::last_write_time(path);
  CHECK(encoded(with_store(folder.path().string())) == expected);
  // Packets of another size ask for the same.
  encoded(with_store(folder.path().string()), "cauchy-good:k=4,m=3,w=5,packet_bytes=128");
  CHECK(files_below(folder.path()).size() == 1);
  CHECK(fs::last_write_time(path) == time);
}

TEST_CASE("A program that computes something else is not used, and is replaced") {
  if (!has_machine_code()) return;
  const TemporaryFolder folder;
  const Options options = with_store(folder.path().string());
  const auto expected = encoded(options);
  REQUIRE(files_below(folder.path()).size() == 1);
  const fs::path path = files_below(folder.path()).front();
  const std::string name = fs::relative(path, folder.path()).string();
  const std::string right = folder.read(name);
  const std::vector<std::uint8_t> bytes(right.begin(), right.end());
  const ProgramKey key = first_record(bytes)->key;
  OrderedProgram entry = *machine_program_of(*first_record(bytes));
  const auto replace_by = [&](const OrderedProgram& wrong) {
    const std::vector<std::uint8_t> written = record_bytes(key, wrong);
    folder.write(name, {reinterpret_cast<const char*>(written.data()), written.size()});
    CHECK(encoded(options) == expected);
    CHECK(folder.read(name) == right);
  };
  SUBCASE("its order") { entry.ordered->equations.back().operands.pop_back(); }
  SUBCASE("its equations") { entry.equations.equations.back().operands.pop_back(); }
  SUBCASE("another code's") {
    const OrderedProgram other = entry_of_code("cauchy-good:k=5,m=3,w=5", Effort::kMax);
    entry = other;
  }
  replace_by(entry);
}

TEST_CASE("Whatever is wrong with the directory, a codec encodes") {
  const TemporaryFolder folder;
  const auto expected = encoded(with_store("off"));
  folder.write("file", "not a directory");
  CHECK(encoded(with_store(folder / "file")) == expected);
  CHECK(folder.read("file") == "not a directory");
  CHECK(encoded(with_store("/proc/none/of/these")) == expected);
  fs::create_directory(folder / "closed");
  fs::permissions(folder / "closed", fs::perms::none);
  CHECK(encoded(with_store(folder / "closed")) == expected);
  fs::permissions(folder / "closed", fs::perms::owner_all);
}

TEST_CASE("A directory does not grow without bound, and other files in it stay") {
  const TemporaryFolder folder;
  const Store store(folder.path().string());
  const ProgramKey key = key_of(kSpec);
  const fs::path room = store.path_of(key).parent_path();
  fs::create_directories(room);
  const std::string much(std::size_t{1} << 19, 'x');
  const std::string in_room = fs::relative(room, folder.path()).string() + "/";
  const std::vector<std::string> others = {"mine.txt", "thesis.wisdom.pdf", "old.wisdom",
                                           "0123456789abcdef-4.wisdom",
                                           ".0123456789abcdef-2.wisdom.xorloom-mine"};
  for (const std::string& other : others) folder.write(in_room + other, much);
  const std::string hidden = ".0123456789abcdef-2.wisdom.xorloom-0123456789abcdef";
  folder.write(in_room + hidden, much);
  fs::last_write_time(room / hidden, fs::file_time_type::clock::now() - std::chrono::hours(1));
  for (int i = 0; i < 8; ++i) {
    folder.write(in_room + "0123456789abcde" + std::to_string(i) + "-2.wisdom", much);
  }
  store.keep(key, entry_of_code(kSpec, Effort::kQuick));
  CHECK(store.find(key, Effort::kFast));
  CHECK_FALSE(fs::exists(room / hidden));
  std::uintmax_t bytes = 0;
  for (const fs::path& path : files_below(room)) bytes += fs::file_size(path);
  for (const std::string& other : others) {
    CHECK(folder.read(in_room + other) == much);
    bytes -= much.size();
  }
  CHECK(bytes <= Store::kMostBytes / 16);
  CHECK(bytes >= Store::kMostBytes / 32);
}

}  // namespace xorloom
