#include "runtime/protection/protection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/protection/redundancy_plan.hpp"

namespace xorloom {
namespace {

/// The text of the manifest; notes the defects of each part.
std::vector<std::uint8_t> read_manifest_text(std::vector<ProtectionPart>& parts) {
  const PartHeader& header = parts.front().header;
  std::vector<std::uint8_t> text;
  text.reserve(header.manifest_bytes);
  std::vector<std::size_t> damaged(parts.size());
  for (std::uint64_t page = 0; page < manifest_pages(header); ++page) {
    std::vector<std::uint8_t> found;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const int copy : {0, 1}) {
        std::vector<std::uint8_t> read = parts[i].read_page(copy, page);
        if (read.empty()) {
          ++damaged[i];
        } else {
          found = std::move(read);
        }
      }
    }
    if (found.empty()) {
      fail(Status::kDamaged,
           fmt::format("page {} of the list of protected files is damaged in every copy that {} "
                       "has",
                       page, parts.front().path.string()));
    }
    text.insert(text.end(), found.begin(), found.end());
  }
  text.resize(header.manifest_bytes);
  if (checksum(text) != header.manifest_checksum) {
    fail(Status::kDamaged, fmt::format("the list of protected files in {} has a wrong checksum",
                                       parts.front().path.string()));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (damaged[i] == 0) continue;
    parts[i].defects.push_back(fmt::format("{} of {} pages of its lists of files are damaged",
                                           damaged[i], 2 * manifest_pages(header)));
  }
  return text;
}

void check_memory(const ReadingBounds& bounds, const char* what, std::uint64_t bytes) {
  if (bytes <= bounds.memory_bytes) return;
  fail(Status::kUnsupported,
       fmt::format("{} takes {} bytes of memory, more than the {} that files may take; "
                   "--allow-large lifts this bound",
                   what, bytes, bounds.memory_bytes));
}

/// Throws unless the parts are of one protection, each once and with the redundancy that is its.
void check_parts(const std::vector<ProtectionPart>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    PartHeader expected = parts.front().header;
    const PartHeader& header = parts[i].header;
    expected.part = header.part;
    expected.first = header.first;
    expected.count = header.count;
    if (header != expected) {
      fail(Status::kInvalidArgument,
           fmt::format("{} and {} are not parts of one protection", parts.front().path.string(),
                       parts[i].path.string()));
    }
    if (header.part == parts[i - 1].header.part) {
      fail(Status::kInvalidArgument,
           fmt::format("{} and {} are the same part of a protection", parts[i - 1].path.string(),
                       parts[i].path.string()));
    }
    if (header.first < parts[i - 1].header.first + parts[i - 1].header.count) {
      fail(Status::kDamaged, fmt::format("{} and {} have redundancy in common",
                                         parts[i - 1].path.string(), parts[i].path.string()));
    }
  }
}

}  // namespace

Protection open_protection(const std::vector<std::filesystem::path>& paths,
                           const ReadingBounds& bounds) {
  std::vector<ProtectionPart> parts;
  std::vector<std::string> unusable;
  for (const auto& path : paths) {
    try {
      parts.push_back(open_part(path));
    } catch (const Error& error) {
      if (error.kind() != Status::kDamaged) throw;
      unusable.emplace_back(error.what());
    }
  }
  if (parts.empty()) fail(Status::kDamaged, unusable.front());
  std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.header.part; });
  check_parts(parts);
  const PartHeader& header = parts.front().header;
  check_memory(bounds, "the list of protected files", header.manifest_bytes);
  Manifest manifest = parse_manifest(read_manifest_text(parts));
  Code code = code_of(manifest, bounds.spec);
  if (manifest.block_bytes != header.block_bytes || manifest.chunk_blocks != header.chunk_blocks ||
      parts.back().header.first + parts.back().header.count > code.m) {
    fail(Status::kDamaged, fmt::format("the header of {} does not agree with its list of files",
                                       parts.front().path.string()));
  }
  check_memory(bounds, "a row of blocks", code.locations * manifest.block_bytes);
  check_memory(bounds, "the state of redundant blocks", code.m * manifest.chunk_blocks / 8);
  FileMap map(manifest.files, manifest.block_bytes);
  return {std::move(manifest), std::move(map), std::move(code), std::move(parts),
          std::move(unusable)};
}

}  // namespace xorloom
