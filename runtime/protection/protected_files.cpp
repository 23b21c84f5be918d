#include "runtime/protection/protected_files.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace xorloom {

std::optional<std::string> why_no_path(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.size() > kMaxPathBytes) {
    return fmt::format("it has {} bytes, more than {}", name.size(), kMaxPathBytes);
  }
  if (name.find('\0') != std::string_view::npos) return "it has a byte that is zero";
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part.empty()) return "it begins or ends with '/', or has two of them together";
    if (part == "." || part == "..") return fmt::format("'{}' is a part of it", part);
    begin = end + 1;
  }
  return std::nullopt;
}

FileMap::FileMap(const std::vector<ProtectedFile>& files, std::uint64_t block_bytes)
    : block_bytes_(block_bytes), begins_{0}, first_segments_{0} {
  for (const ProtectedFile& file : files) {
    const std::uint64_t begin = begins_.back();
    const std::uint64_t end = begin + file.bytes;
    const std::uint64_t segments =
        file.bytes == 0 ? 0 : (end - 1) / block_bytes - begin / block_bytes + 1;
    begins_.push_back(end);
    first_segments_.push_back(first_segments_.back() + static_cast<std::size_t>(segments));
  }
}

Segment FileMap::segment(std::size_t file, std::size_t number) const {
  const std::uint64_t block = begins_[file] / block_bytes_ + (number - first_segments_[file]);
  const std::uint64_t begin = std::max(begins_[file], block * block_bytes_);
  const std::uint64_t end = std::min(begins_[file + 1], (block + 1) * block_bytes_);
  return {number, file, begin - begins_[file], begin, static_cast<std::size_t>(end - begin)};
}

std::size_t FileMap::file_at(std::uint64_t at) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(begins_, at) - begins_.begin()) - 1;
}

}  // namespace xorloom
