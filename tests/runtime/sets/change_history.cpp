#include "tests/runtime/sets/change_history.hpp"

#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <utility>

#include "codes/families/families.hpp"

namespace xorloom::test {

namespace fs = std::filesystem;

namespace {

constexpr std::array kCodes = {"rs:k=4,m=2", "cauchy-good:k=4,m=3,w=4", "clay:k=4,m=2",
                               "rs:k=4,m=4", "rdp:k=4,p=5"};

}  // namespace

ChangeHistory::ChangeHistory(std::uint64_t seed)
    : random_(seed), spec_(kCodes[seed % kCodes.size()]) {
  for (const char* const name : {"a", "b", "c"}) directories_.push_back(folder_ / name);
  content_ = random_text(200 + draw(800), seed);
  encode(false);
}

void ChangeHistory::encode(bool replace) {
  const Code code = make_code(spec_);
  Progress progress;
  encode_set({.read = reader_of(content_),
              .directories = directories_,
              .code = code,
              .options = {},
              .replace = replace,
              .block_bytes = 2 * chunk_multiple(code)},
             progress);
}

void ChangeHistory::replace() {
  last_ = "replace";
  content_ = random_text(200 + draw(800), random_());
  encode(true);
}

void ChangeHistory::damage_and_repair() {
  last_ = "repair";
  const auto& directory = directories_[draw(directories_.size() - 1)];
  const std::vector<std::string> names = names_in(directory);
  const fs::path shard = directory / names.at(draw(names.size() - 1));
  if (draw(1) == 0) {
    fs::remove(shard);
  } else {
    std::fstream file(shard, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(draw(fs::file_size(shard) - 1)));
    file.put(static_cast<char>(draw(255)));
    REQUIRE(file.flush());
  }
  repair(directories_);
}

std::size_t ChangeHistory::draw(std::size_t most) {
  return std::uniform_int_distribution<std::size_t>(0, most)(random_);
}

ChangeRequest ChangeHistory::request(std::vector<fs::path> directories) const {
  return {.directories = std::move(directories), .set_digits = {}, .options = {}, .bounds = {}};
}

void ChangeHistory::patch(const std::vector<fs::path>& directories) {
  last_ = "patch";
  if (content_.empty()) return;
  const std::size_t offset = draw(content_.size() - 1);
  std::string bytes = random_text(1 + draw(draw(3) == 0 ? 400 : 8), random_());
  bytes.resize(std::min(bytes.size(), content_.size() - offset));
  Progress progress;
  patch_set(request(directories), offset, reader_of(bytes), progress,
            static_cast<WritePolicy>(draw(2)));
  content_.replace(offset, bytes.size(), bytes);
}

void ChangeHistory::change() {
  Progress progress;
  switch (draw(9)) {
    case 0: {
      last_ = "append";
      const std::string bytes = random_text(1 + draw(150), random_());
      append_to_set(request(directories_), reader_of(bytes), progress);
      content_ += bytes;
      return;
    }
    case 1:
      last_ = "truncate";
      content_.resize(content_.size() - std::min(content_.size(), draw(150)));
      truncate_set(request(directories_), content_.size(), progress);
      return;
    case 2:
      last_ = "repair";
      repair(directories_);
      return;
    case 3: {
      last_ = "convert";
      const char* const spec = draw(1) == 0 ? "rs:k=4,m=3" : "rs:k=4,m=2";
      if (ReadableSet(directories_).opened.code().spec == make_code(spec).spec) return;
      convert_set({directories_, {}, make_code(spec), {}, {}}, progress);
      return;
    }
    default:
      return patch(directories_);
  }
}

SetFiles files_in(const std::vector<fs::path>& directories) {
  SetFiles files;
  for (const fs::path& directory : directories) {
    for (const auto& [name, content] : snapshot(directory)) files[directory / name] = content;
  }
  return files;
}

void put_back(const fs::path& directory, const SetFiles& files) {
  for (const std::string& name : names_in(directory)) {
    if (!files.contains(directory / name)) fs::remove(directory / name);
  }
  for (const auto& [path, content] : files) {
    if (path.parent_path() == directory && (!fs::exists(path) || read_file(path) != content)) {
      write_file(path, content);
    }
  }
}

std::optional<std::string> content_of(const std::vector<fs::path>& directories) try {
  const ReadableSet set(directories);
  const auto decoded = set.decode(1);
  // Parts of stripes are read by other ways.
  const std::uint64_t bytes = set.opened.header().file_bytes;
  for (std::uint64_t at = 0; at < bytes && decoded.damage.lost_stripes.empty(); at += 97) {
    const auto part = set.decode(1, {at, at + 5});
    if (!part.damage.lost_stripes.empty()) return std::nullopt;
    REQUIRE(part.content == decoded.content.substr(at, 5));
  }
  if (!decoded.damage.lost_stripes.empty()) return std::nullopt;
  return decoded.content;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace xorloom::test
