#include "runtime/protection/stream_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"

namespace xorloom {

void UnreadFiles::note(const UnreadFile& error) {
  if (!first_) first_ = error;
  first_->files.insert(error.files.begin(), error.files.end());
}

void UnreadFiles::note(const std::string& name, const std::filesystem::path& base, int code) {
  try {
    fail_unread_file(name, base, code);
  } catch (const UnreadFile& error) {
    note(error);
  }
}

void fail_unread_file(const std::string& name, const std::filesystem::path& base, int code) {
  try {
    fail_on_io("read", base / name, code);
  } catch (const IoError& error) {
    throw UnreadFile(error, name);
  }
}

StreamReader::StreamReader(std::filesystem::path base, const std::vector<ProtectedFile>& files,
                           const FileMap& map, UnreadFilesAre unread_files)
    : base_(std::move(base)), files_(files), map_(map), unread_files_(unread_files) {}

const OpenFile& StreamReader::file(std::size_t number) {
  const auto known = opened_by_file_.find(number);
  if (known != opened_by_file_.end()) {
    opened_.splice(opened_.begin(), opened_, known->second);
    return known->second->second;
  }
  const std::filesystem::path path = base_ / files_[number].name;
  OpenFile opened(path);
  if (opened.error() != 0) fail_unread_file(files_[number].name, base_, opened.error());
  if (!opened.is_open()) opened = open_regular_file(path);  // throws, as it is no regular file
  if (opened.bytes() != files_[number].bytes) {
    fail(Status::kIo,
         fmt::format("{} has {} now, and had {} before, as if it were being written; "
                     "no protection was changed: run this again",
                     path.string(), counted(opened.bytes(), "byte"), files_[number].bytes));
  }
  if (opened_.size() == kMostOpen) {
    opened_by_file_.erase(opened_.back().first);
    opened_.pop_back();
  }
  opened_.emplace_front(number, std::move(opened));
  opened_by_file_[number] = opened_.begin();
  return opened_.front().second;
}

void StreamReader::read(const PlacedBytes& range, std::span<std::uint8_t> bytes) {
  try {
    if (!unread_.contains(files_[range.file].name)) return read_or_throw(range, bytes);
  } catch (const UnreadFile& error) {
    if (unread_files_ == UnreadFilesAre::kThrown) throw;
    unread_.note(error);
  }
  std::ranges::fill(bytes, std::uint8_t{0});
}

void StreamReader::read_or_throw(const PlacedBytes& range, std::span<std::uint8_t> bytes) {
  const int code = file(range.file).read_at(range.file_offset, bytes);
  if (code == 0) return;
  const std::filesystem::path path = base_ / files_[range.file].name;
  if (code > 0) fail_unread_file(files_[range.file].name, base_, code);
  fail(Status::kIo, fmt::format("{} became shorter while it was read", path.string()));
}

void StreamReader::read(std::uint64_t at, std::span<std::uint8_t> bytes) {
  std::size_t filled = 0;
  map_.visit_ranges(at, at + bytes.size(), [&](const PlacedBytes& range) {
    const auto begin = static_cast<std::size_t>(range.at - at);
    std::ranges::fill(bytes.subspan(filled, begin - filled), std::uint8_t{0});
    read(range, bytes.subspan(begin, static_cast<std::size_t>(range.bytes)));
    filled = begin + static_cast<std::size_t>(range.bytes);
  });
  std::ranges::fill(bytes.subspan(filled), std::uint8_t{0});
}

}  // namespace xorloom
