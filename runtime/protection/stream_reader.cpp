#include "runtime/protection/stream_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"

namespace xorloom {

StreamReader::StreamReader(std::filesystem::path base, const std::vector<ProtectedFile>& files,
                           const FileMap& map)
    : base_(std::move(base)), files_(files), map_(map) {}

const OpenFile& StreamReader::file(std::size_t number) {
  const auto known = opened_by_file_.find(number);
  if (known != opened_by_file_.end()) {
    opened_.splice(opened_.begin(), opened_, known->second);
    return known->second->second;
  }
  const std::filesystem::path path = base_ / files_[number].name;
  OpenFile opened = open_regular_file(path);
  if (opened.bytes() != files_[number].bytes) {
    fail(Status::kIo, fmt::format("{} has {} bytes now, and had {} before", path.string(),
                                  opened.bytes(), files_[number].bytes));
  }
  if (opened_.size() == kMostOpen) {
    opened_by_file_.erase(opened_.back().first);
    opened_.pop_back();
  }
  opened_.emplace_front(number, std::move(opened));
  opened_by_file_[number] = opened_.begin();
  return opened_.front().second;
}

void StreamReader::read(std::uint64_t at, std::span<std::uint8_t> bytes) {
  const std::uint64_t end = map_.stream_bytes();
  for (std::size_t number = at < end ? map_.file_at(at) : 0; !bytes.empty() && at < end;) {
    while (at == map_.begin_of_file(number) + map_.bytes_of_file(number)) ++number;
    const std::uint64_t offset = at - map_.begin_of_file(number);
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(bytes.size(), map_.bytes_of_file(number) - offset));
    const int code = file(number).read_at(offset, bytes.first(count));
    if (code > 0) fail_on_io("read", base_ / files_[number].name, code);
    if (code < 0) {
      fail(Status::kIo, fmt::format("{} became shorter while it was read",
                                    (base_ / files_[number].name).string()));
    }
    bytes = bytes.subspan(count);
    at += count;
  }
  std::ranges::fill(bytes, std::uint8_t{0});
}

}  // namespace xorloom
