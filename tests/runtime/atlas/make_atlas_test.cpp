#include "runtime/atlas/make_atlas.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "tests/runtime/atlas/atlas_scene.hpp"
#include "tests/support/sample.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kSpec = "cauchy:k=3,m=2,w=3";
constexpr const char* kWords = "rs:k=3,m=2,w=4";

/// Makes an atlas, which is stopped after it has asked `asked` times whether to stop. True if the
/// atlas was finished.
bool make_until(const std::string& path, AtlasSubject subject, std::size_t asked,
                AtlasProgress& progress, const std::string& spec = kSpec) {
  std::atomic<std::size_t> questions{0};
  const AtlasBuildOptions making{path, std::move(subject), 1,
                                 [&questions, asked] { return ++questions > asked; }};
  return make_atlas(make_code(spec), making, progress).has_value();
}

TEST_CASE("An atlas is the same bytes with any number of threads") {
  const TemporaryFolder folder;
  for (const char* spec : {"cauchy-good:k=4,m=3,w=4", "rdp:k=4,p=5", kWords, "clay:k=2,m=2,d=3"}) {
    const std::string one = made_atlas(folder, "a", spec, 1);
    CHECK(made_atlas(folder, "b", spec, 2) == one);
    CHECK(made_atlas(folder, "c", spec, 7) == one);
  }
  CHECK(folder.names() == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("More effort is another atlas, which rebuilds as well") {
  const TemporaryFolder folder;
  const std::string spec = "cauchy:k=2,m=2,w=3";
  const Code code = make_code(spec);
  AtlasSubject subject = atlas_subject(code);
  subject.effort = Effort::kMax;
  subject.steps = 1000;
  AtlasProgress progress;
  REQUIRE(make_atlas(code, {folder / "a", subject, 1}, progress));
  CHECK(Atlas(folder / "a").header().subject == subject);
  PlanCounts counts{};
  CHECK(flaw_of(spec, {.atlas = folder / "a"}, &counts) == "");
  CHECK(counts.from_atlas == 1 + 4 + 6);
  CHECK(counts.atlas_damaged == 0);
}

TEST_CASE("An atlas goes on from its journal, wherever that was cut") {
  for (const std::string spec : {kSpec, kWords}) {
    CAPTURE(spec);
    const TemporaryFolder folder;
    const Code code = make_code(spec);
    const std::string whole = made_atlas(folder, "a", spec);
    AtlasProgress begun;
    REQUIRE_FALSE(make_until(folder / "b", atlas_subject(code), 10, begun, spec));
    CHECK(folder.names() == std::vector<std::string>{"a", "b.part"});
    const std::string journal = folder.read("b.part");
    std::size_t most = 0;
    // Some places and always the last; with XORLOOM_TEST_WHOLE every place for packets.
    const std::size_t step = spec != kSpec ? 11 : tries_all() ? 1 : 7;
    for (std::size_t size = journal.size() % step; size <= journal.size(); size += step) {
      folder.write("b.part", journal.substr(0, size));
      AtlasProgress progress;
      REQUIRE(make_atlas(code, {folder / "b", atlas_subject(code), 1}, progress));
      CHECK(folder.read("b") == whole);
      CHECK(progress.resumed >= most);
      most = progress.resumed;
      std::filesystem::remove(folder / "b");
    }
    CHECK(most == begun.done);
    CHECK(most > 2);
    CHECK(folder.names() == std::vector<std::string>{"a"});
  }
}

TEST_CASE("A part of a journal that is damaged is compiled again") {
  const TemporaryFolder folder;
  const Code code = make_code(kSpec);
  const std::string whole = made_atlas(folder, "a", kSpec);
  AtlasProgress begun;
  REQUIRE_FALSE(make_until(folder / "b", atlas_subject(code), 10, begun));
  const std::string journal = folder.read("b.part");
  const std::size_t parts = 12 + 80 + atlas_subject(code).spec.size() + 16;
  const std::size_t step = tries_all() ? 1 : 7;
  for (std::size_t at = parts; at < journal.size(); at += step) {
    std::string changed = journal;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    folder.write("b.part", changed);
    AtlasProgress progress;
    REQUIRE(make_atlas(code, {folder / "b", atlas_subject(code), 1}, progress));
    CHECK(progress.resumed < begun.done);
    CHECK(folder.read("b") == whole);
  }
}

TEST_CASE("A journal of something else, or another's, is left alone") {
  const TemporaryFolder folder;
  const Code code = make_code(kSpec);
  AtlasProgress begun;
  REQUIRE_FALSE(make_until(folder / "b", atlas_subject(code), 10, begun));
  AtlasSubject other = atlas_subject(code);
  other.seed = 2;
  const std::string journal = folder.read("b.part");
  const auto is_refused = [&](const AtlasSubject& subject,
                              Status status = Status::kInvalidArgument) {
    AtlasProgress progress;
    try {
      static_cast<void>(make_atlas(code, {folder / "b", subject, 1}, progress));
    } catch (const Error& error) {
      return error.kind() == status;
    }
    return false;
  };
  CHECK(is_refused(other));
  CHECK(folder.read("b.part") == journal);
  {
    const AtlasJournal held(folder / "b.part", atlas_subject(code), [](auto, auto) {});
    CHECK(is_refused(atlas_subject(code), Status::kIo));
  }
  folder.write("b.part", "my notes");
  CHECK(is_refused(atlas_subject(code)));
  CHECK(folder.read("b.part") == "my notes");
}

TEST_CASE("What has the atlas's name is replaced if it is an atlas, else left alone") {
  const TemporaryFolder folder;
  const std::string whole = made_atlas(folder, "a", kSpec);
  folder.write("a", made_atlas(folder, "b", "rdp:k=4,p=5"));
  CHECK(made_atlas(folder, "a", kSpec) == whole);
  folder.write("c", "a file of mine");
  CHECK_THROWS_AS(made_atlas(folder, "c", kSpec), Error);
  CHECK(folder.read("c") == "a file of mine");
  CHECK_THROWS_AS(made_atlas(folder, "no/such", kSpec), Error);
  CHECK(folder.names() == std::vector<std::string>{"a", "b", "c"});
}

}  // namespace
}  // namespace xorloom::test
