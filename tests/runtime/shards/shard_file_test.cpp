#include "runtime/shards/shard_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "codes/text/counted.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/shards/set_damage.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

using ShardKind = ShardFile::Kind;
using test::ShardImage;

/// A set of three small stripes, the last one short, and one of its shards.
struct ShardScene {
  explicit ShardScene(std::size_t file_bytes = 40)
      : header(test::encode(folder.path(), test::random_text(file_bytes, 1),
                            {.spec = "rs:k=2,m=1", .block_bytes = 8})
                   .header),
        path(test::shard_path(folder.path(), header, 1)) {
    header.location = 1;
  }
  TemporaryFolder folder;
  ShardHeader header;
  std::filesystem::path path;
};

/// A whole header with one 32-bit number changed.
std::string changed(const ShardHeader& header, std::size_t offset, std::uint32_t number) {
  std::vector<std::uint8_t> bytes = header_text(header);
  put(bytes.data() + offset, number);
  put(bytes.data() + bytes.size() - 8, checksum(std::span(bytes).first(bytes.size() - 8)));
  return test::text_of(bytes);
}

}  // namespace

TEST_CASE("A shard that the system cannot read is a wreck that says why") {
  SKIP_WITHOUT_FAILING_CALLS();
  const ShardScene scene;
  for (const int call : {SYS_openat, SYS_preadv}) {
    for (const int error : {EACCES, EIO}) {
      CAPTURE(call);
      const int answer = test::answer_of_process([&] {
        if (!test::begin_failing({call, error})) return 100;
        const ShardFile shard = open_shard(scene.path);
        if (shard.kind != ShardKind::kWreck || shard.error != error) return 1;
        const std::string why = std::string("it cannot be read: ") + std::strerror(error);
        return shard.defects == std::vector<std::string>{why} ? 0 : 2;
      });
      CHECK(answer == 0);
    }
  }
  CHECK(open_shard(scene.path).error == 0);
}

TEST_CASE("A shard in a directory that may not be searched is a wreck, too") {
  SKIP_WITHOUT_FAILING_CALLS();
  const ShardScene scene;
  const int answer = test::answer_of_process([&] {
    const bool fails =
        test::begin_failing({SYS_openat, EACCES}) && test::begin_failing({SYS_newfstatat, EACCES});
    if (!fails) return 100;
    const ShardFile shard = open_shard(scene.path);
    return shard.kind == ShardKind::kWreck && shard.error == EACCES ? 0 : 1;
  });
  CHECK(answer == 0);
}

TEST_CASE("A whole shard is one, whatever it is called") {
  for (const std::size_t size : {0U, 1U, 16U, 40U}) {
    const ShardScene scene(size);
    std::filesystem::rename(scene.path, scene.folder / "renamed");
    const ShardFile shard = open_shard(scene.folder / "renamed");
    CAPTURE(size);
    CHECK(shard.kind == ShardKind::kShard);
    CHECK(shard.header == scene.header);
    CHECK(shard.defects.empty());
    CHECK(shard.file.bytes() == shard_bytes(shard.header));
  }
}

TEST_CASE("Either header suffices, and the other is named") {
  const ShardScene scene;
  const std::size_t h = header_bytes(scene.header);
  ShardImage image(scene.path);
  for (std::size_t at = 0; at < h; ++at) {
    ShardImage first = image;
    first.bytes[at] = static_cast<char>(first.bytes[at] ^ 1);
    first.save();
    const ShardFile with_last = open_shard(scene.path);
    CAPTURE(at);
    CHECK(with_last.kind == ShardKind::kShard);
    CHECK(with_last.header == scene.header);
    CHECK(with_last.defects == std::vector<std::string>{"the header at its beginning is damaged"});

    ShardImage last = image;
    char& byte = last.bytes[last.bytes.size() - h + at];
    byte = static_cast<char>(byte ^ 1);
    last.save();
    const ShardFile with_first = open_shard(scene.path);
    CHECK(with_first.kind == ShardKind::kShard);
    CHECK(with_first.header == scene.header);
    CHECK(with_first.defects ==
          std::vector<std::string>{"the header at its end is damaged or missing"});
  }
}

TEST_CASE("A shard cut anywhere behind its first header is one, and its length is named") {
  const ShardScene scene;
  const std::size_t h = header_bytes(scene.header);
  const std::string whole = test::read_file(scene.path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    test::write_file(scene.path, std::string_view(whole).substr(0, size));
    const ShardFile shard = open_shard(scene.path);
    CAPTURE(size);
    CHECK(shard.kind == (size < h ? ShardKind::kWreck : ShardKind::kShard));
    if (size < h) continue;
    // If the file is just one header, that header is at both its ends.
    REQUIRE(shard.defects.size() == (size == h ? 1 : 2));
    CHECK(shard.defects.back().find("missing, ") != std::string::npos);
    if (size > h) CHECK(shard.defects[0] == "the header at its end is damaged or missing");
  }
}

TEST_CASE("A shard whose beginning is cut off is known by its end") {
  const ShardScene scene;
  const std::size_t h = header_bytes(scene.header);
  const std::string whole = test::read_file(scene.path);
  for (const std::size_t cut : {std::size_t{1}, h, whole.size() - h}) {
    test::write_file(scene.path, std::string_view(whole).substr(cut));
    const ShardFile shard = open_shard(scene.path);
    CAPTURE(cut);
    // Without the first header the last one remains, which may be the whole file.
    CHECK(shard.kind == ShardKind::kShard);
    CHECK(shard.header == scene.header);
    CHECK(!shard.defects.empty());
  }
}

TEST_CASE("What was added behind a shard is named, and the shard is used") {
  const ShardScene scene;
  const std::string whole = test::read_file(scene.path);
  for (const std::size_t more : {1U, 15U, 16U, 17U, 1000U}) {
    test::write_file(scene.path, whole + test::random_text(more, more));
    const ShardFile shard = open_shard(scene.path);
    CAPTURE(more);
    CHECK(shard.kind == ShardKind::kShard);
    REQUIRE(shard.defects.size() == 1);
    CHECK(shard.defects[0].starts_with(counted(more, "byte") + " too many"));
  }
}

TEST_CASE("A shard whose headers are both whole and differ is refused") {
  const ShardScene scene;
  for (int change = 0; change < 4; ++change) {
    ShardHeader other = scene.header;
    if (change == 0) ++other.generation;
    if (change == 1) other.location = 2;
    if (change == 2) other.set.bytes[0] = static_cast<std::uint8_t>(other.set.bytes[0] ^ 1);
    if (change == 3) --other.file_bytes;
    ShardImage image(scene.path);
    ShardImage swapped = image;
    image.set_last_header(other);
    image.save();
    CAPTURE(change);
    CHECK(open_shard(scene.path).kind == ShardKind::kConflicting);
    CHECK(!open_shard(scene.path).defects.empty());
    swapped.set_first_header(other);
    swapped.save();
    CHECK(open_shard(scene.path).kind == ShardKind::kConflicting);
    image.set_last_header(scene.header);
    image.save();
    CHECK(open_shard(scene.path).kind == ShardKind::kShard);
  }
}

TEST_CASE(
    "Two whole shards one behind the other are refused if they differ, and one with a tail if "
    "not") {
  const ShardScene scene;
  const std::string whole = test::read_file(scene.path);
  const std::string other = test::read_file(test::shard_path(scene.folder.path(), scene.header, 0));
  test::write_file(scene.path, whole + other);
  CHECK(open_shard(scene.path).kind == ShardKind::kConflicting);
  test::write_file(scene.path, whole + whole);
  const ShardFile twice = open_shard(scene.path);
  CHECK(twice.kind == ShardKind::kShard);
  CHECK(twice.defects.size() == 1);
}

TEST_CASE(
    "A shard of a later version, or that needs what is not known, is told from a damaged one") {
  const ShardScene scene;
  const std::string whole = test::read_file(scene.path);
  const std::size_t h = header_bytes(scene.header);
  for (const std::size_t offset : {8U, 16U}) {
    const std::string newer = changed(scene.header, offset, 8);
    std::string both = whole;
    both.replace(0, h, newer);
    std::string last = whole;
    last.replace(last.size() - h, h, newer);
    for (const std::string& content : {both, last, newer, newer + "more", "more" + newer}) {
      test::write_file(scene.path, content);
      const ShardFile shard = open_shard(scene.path);
      CAPTURE(offset);
      CHECK(shard.kind == ShardKind::kNewer);
      CHECK(shard.defects.size() == 1);
      CHECK(test::read_file(scene.path) == content);
    }
  }
}

TEST_CASE("A file that is called like a shard and holds none is a wreck, another file is nothing") {
  const TemporaryFolder folder;
  const std::string name = shard_name(draw_set_id(), 0, 3);
  for (const std::string& content :
       {std::string(), std::string("x"), std::string(15, '\0'), std::string(16, '\0'),
        std::string(1000, '\0'), test::random_text(1000, 7)}) {
    folder.write(name, content);
    folder.write("file", content);
    CAPTURE(content.size());
    CHECK(open_shard(folder / name).kind == ShardKind::kWreck);
    CHECK(!open_shard(folder / name).defects.empty());
    CHECK(open_shard(folder / "file").kind == ShardKind::kOther);
  }
}

TEST_CASE("A file that begins like a shard and holds none is a wreck, whatever it is called") {
  const ShardScene scene;
  const std::size_t h = header_bytes(scene.header);
  std::string content = test::read_file(scene.path).substr(0, h);
  content[h / 2] = static_cast<char>(content[h / 2] ^ 1);
  scene.folder.write("file", content);
  CHECK(open_shard(scene.folder / "file").kind == ShardKind::kWreck);
}

TEST_CASE("What is no file is a wreck under a shard's name and nothing under another") {
  const TemporaryFolder folder;
  const std::string name = shard_name(draw_set_id(), 0, 3);
  std::filesystem::create_directory(folder / "directory");
  std::filesystem::create_directory(folder / name);
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(open_shard(folder / "directory").kind == ShardKind::kOther);
  CHECK(open_shard(folder / "pipe").kind == ShardKind::kOther);
  CHECK(open_shard(folder / "none").kind == ShardKind::kOther);
  CHECK(open_shard(folder / name).kind == ShardKind::kWreck);
  CHECK(open_shard(folder / name).defects.front().find("not a file") != std::string::npos);
}

TEST_CASE("Every byte of a shard that is changed is found, and blames what holds it") {
  const ShardScene scene;
  const test::ReadableSet set({scene.folder.path()});
  const std::size_t h = header_bytes(scene.header);
  const std::string whole = test::read_file(scene.path);
  const std::size_t end = whole.size() - h;
  const std::string content = set.decode().content;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
    test::write_file(scene.path, bytes);
    const ShardFile shard = open_shard(scene.path);
    // The file keeps its inode, so that the set that is open sees the change.
    const std::string bad = set.bad_blocks(set.verify());
    CAPTURE(at);
    CHECK(shard.kind == ShardKind::kShard);
    if (at < h || at >= end) {
      CHECK(shard.defects.size() == 1);
      CHECK(bad.empty());
    } else {
      const std::size_t block = (at - h) / (kFrameBytes + 8);
      CHECK(shard.defects.empty());
      CHECK(bad == "1: block " + std::to_string(block) + " damaged");
      CHECK(set.decode().content == content);
    }
  }
}

TEST_CASE("Every length a shard is cut to is found, with the blocks that are gone") {
  const ShardScene scene;
  const test::ReadableSet set({scene.folder.path()});
  const std::string whole = test::read_file(scene.path);
  const std::string content = set.decode().content;
  for (std::size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(scene.path, size);
    std::uint64_t gone = num_blocks(scene.header);
    while (gone > 0 && size < block_offset(scene.header, gone - 1) + kFrameBytes +
                                  payload_bytes(scene.header, gone - 1)) {
      --gone;
    }
    const SetDamage damage = set.verify();
    CAPTURE(size);
    const ShardFile shard = open_shard(scene.path);
    CHECK((shard.kind == ShardKind::kWreck || !shard.defects.empty()));
    if (gone == num_blocks(scene.header)) {
      CHECK(damage.bad_blocks.empty());
    } else {
      REQUIRE(damage.bad_blocks.size() == 1);
      const std::vector<BadBlocks>& bad = damage.bad_blocks.begin()->second;
      REQUIRE(bad.size() == 1);
      CHECK(bad[0].first == gone);
      CHECK(bad[0].last + 1 == num_blocks(scene.header));
      CHECK(bad[0].fault == BlockFault::kMissing);
    }
    CHECK(damage.lost_stripes.empty());
    CHECK(set.decode().content == content);
  }
}

}  // namespace xorloom
