#include "runtime/shards/file_info.hpp"

#include <doctest/doctest.h>

#include <string>

#include "codes/text/error.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {

TEST_CASE("A header remembers a file, and readers get back what was put in") {
  const FileInfo info{"photos.tar", 0640, -5, 999'999'999};
  ShardHeader header = test::small_header();
  CHECK(!remembered(header));
  remember(info, header);
  CHECK(remembered(header) == info);
  const HeaderReading reading = read_header(header_text(header));
  REQUIRE(reading.kind == HeaderReading::Kind::kWhole);
  CHECK(reading.header == header);
  CHECK(remembered(reading.header) == info);
}

TEST_CASE("The bytes are those of docs/shard-format.md") {
  ShardHeader header = test::small_header();
  remember({"ab", 0644, 1, 2}, header);
  CHECK(header.optional_flags == 1);
  CHECK(header.extra == test::bytes_of(test::from_hex("02000000 a4010000 02000000 00000000"
                                                      "0100000000000000 6162000000000000")));
}

TEST_CASE("A header says that the content is an archive of files, with a name or without") {
  ShardHeader header = test::small_header();
  CHECK(!holds_files(header));
  mark_as_files(header);
  CHECK(header.optional_flags == 2);
  CHECK(header.extra.empty());
  CHECK(holds_files(header));
  CHECK(!remembered(header));
  remember({"photos.tar", 0600, 1, 2}, header);
  CHECK(header.optional_flags == 3);
  const HeaderReading reading = read_header(header_text(header));
  REQUIRE(reading.kind == HeaderReading::Kind::kWhole);
  CHECK(holds_files(reading.header));
  CHECK(remembered(reading.header) == remembered(header));
  ShardHeader named = test::small_header();
  remember({"photos.tar", 0600, 1, 2}, named);
  CHECK(!holds_files(named));
}

TEST_CASE("Names that are none are refused, and ignored where a header has them") {
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("a/b"),
        std::string("/etc/passwd"), std::string("../up"), std::string("a\0b", 3),
        std::string(256, 'a')}) {
    CAPTURE(name);
    CHECK(why_no_name(name));
    ShardHeader header = test::small_header();
    CHECK(test::thrown_by([&] {
            remember({name, 0644, 0, 0}, header);
          }).kind == Status::kInvalidArgument);
    remember({"x", 0644, 0, 0}, header);
    header.extra.resize(24 + 256);
    header.extra[0] = static_cast<std::uint8_t>(name.size() % 256);
    header.extra[1] = static_cast<std::uint8_t>(name.size() / 256);
    std::copy(name.begin(), name.end(), header.extra.begin() + 24);
    CHECK(!remembered(header));
  }
  for (const char* const name :
       {"a", ".hidden", "with space", "...", "-o", "na\xc3\xafve", "a\nb", "a\x1b[2J"}) {
    CHECK(!why_no_name(name));
  }
}

TEST_CASE("What does not hold together is ignored") {
  ShardHeader header = test::small_header();
  remember({"name", 0644, 0, 0}, header);
  const auto ignored = [&](std::size_t at, std::uint8_t value) {
    ShardHeader wrong = header;
    wrong.extra[at] = value;
    return !remembered(wrong);
  };
  CHECK(ignored(1, 1));      // a name of 260 bytes
  CHECK(ignored(5, 0x20));   // permissions of more than 07777
  CHECK(ignored(11, 0xff));  // nanoseconds of more than a second
  ShardHeader cut = header;
  cut.extra.resize(16);
  CHECK(!remembered(cut));
  ShardHeader unsaid = header;
  unsaid.optional_flags = 0;
  CHECK(!remembered(unsaid));
}

}  // namespace xorloom
