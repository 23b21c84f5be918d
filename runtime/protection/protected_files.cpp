#include "runtime/protection/protected_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

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

void lay_out(std::vector<ProtectedFile>& files) {
  std::uint64_t at = 0;
  for (ProtectedFile& file : files) {
    file.pieces.clear();
    if (file.bytes != 0) file.pieces.push_back({at, file.bytes});
    at += file.bytes;
  }
}

FileMap::FileMap(const std::vector<ProtectedFile>& files, std::uint64_t block_bytes,
                 std::vector<Piece> given_up)
    : block_bytes_(block_bytes),
      first_segments_{0},
      first_runs_{0},
      given_up_(std::move(given_up)) {
  std::size_t segments = 0;
  for (std::size_t file = 0; file < files.size(); ++file) {
    std::uint64_t offset = 0;
    for (const Piece& piece : files[file].pieces) {
      runs_.push_back({piece.at, piece.bytes, file, offset, segments});
      offset += piece.bytes;
      segments +=
          static_cast<std::size_t>((piece.end() - 1) / block_bytes - piece.at / block_bytes + 1);
      stream_bytes_ = std::max(stream_bytes_, piece.end());
    }
    bytes_.push_back(offset);
    first_segments_.push_back(segments);
    first_runs_.push_back(runs_.size());
  }
  if (!given_up_.empty()) stream_bytes_ = std::max(stream_bytes_, given_up_.back().end());
  by_place_.resize(runs_.size());
  std::iota(by_place_.begin(), by_place_.end(), std::size_t{0});
  std::ranges::sort(by_place_, {}, [this](std::size_t run) { return runs_[run].at; });
}

Segment FileMap::segment_of(const Run& run, std::size_t number) const {
  const std::uint64_t block = run.at / block_bytes_ + (number - run.first_segment);
  const std::uint64_t begin = std::max(run.at, block * block_bytes_);
  const std::uint64_t end = std::min(run.end(), (block + 1) * block_bytes_);
  return {number, run.file, run.file_offset + (begin - run.at), begin,
          static_cast<std::size_t>(end - begin)};
}

Segment FileMap::segment(std::size_t file, std::size_t number) const {
  const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(first_runs_[file]);
  const auto end = runs_.begin() + static_cast<std::ptrdiff_t>(first_runs_[file + 1]);
  const auto next = std::upper_bound(
      first, end, number, [](std::size_t of, const Run& run) { return of < run.first_segment; });
  return segment_of(*std::prev(next), number);
}

std::size_t FileMap::first_run_behind(std::uint64_t at) const {
  const auto found = std::ranges::upper_bound(by_place_, at, {},
                                              [this](std::size_t run) { return runs_[run].end(); });
  return static_cast<std::size_t>(found - by_place_.begin());
}

bool FileMap::is_given_up(std::uint64_t begin, std::uint64_t end) const {
  const auto found = std::ranges::upper_bound(given_up_, begin, {}, &Piece::end);
  return found != given_up_.end() && found->at < end;
}

}  // namespace xorloom
