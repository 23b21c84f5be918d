#include "runtime/protection/output_parts.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/leftovers.hpp"

namespace xorloom {

namespace fs = std::filesystem;

OutputParts::OutputParts(const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) directories_.insert(directory_of(follow_links(path)));
  const std::vector<fs::path> directories(directories_.begin(), directories_.end());
  for (const fs::path& directory : each_once(directories)) locks_.emplace_back(directory);
  for (const fs::path& path : paths) remove_leftovers_of(follow_links(path));
}

void OutputParts::begin(const std::vector<PlaceOfPart>& places, mode_t permissions) {
  for (const PlaceOfPart& place : places) {
    parts_.push_back({PendingFile(follow_links(place.path), {}, permissions), place.header});
  }
}

std::uint64_t OutputParts::bytes() const {
  std::uint64_t bytes = 0;
  for (const PartBeingWritten& part : parts_) bytes += part_bytes(part.header);
  return bytes;
}

void OutputParts::name_all(Existing existing) {
  const auto uninterrupted = hold_off_abandoning();
  std::size_t named = 0;
  try {
    for (PartBeingWritten& part : parts_) {
      part.file.commit(existing);
      ++named;
    }
  } catch (...) {
    while (existing == Existing::kRefuse && named != 0) parts_[--named].file.withdraw();
    throw;
  }
  sync_directories(directories_);
}

std::vector<PlaceOfPart> shared_parts(PartHeader header, const std::vector<fs::path>& paths,
                                      std::size_t m) {
  std::vector<PlaceOfPart> places;
  header.parts = static_cast<std::uint32_t>(paths.size());
  for (const fs::path& path : paths) {
    header.part = static_cast<std::uint32_t>(places.size());
    share_redundancy(header, m);
    places.push_back({path, header});
  }
  return places;
}

PartHeader successor_of(const std::vector<fs::path>& paths) {
  PartHeader next;
  std::optional<SetId> id;
  bool is_one = true;
  for (const fs::path& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    try {
      const PartHeader header = open_part(path).header;
      is_one = is_one && (!id || *id == header.id);
      id = header.id;
      next.generation = std::max(next.generation, header.generation + 1);
    } catch (const Error&) {  // a damaged one, which may be of any protection
    }
  }
  if (id && is_one) {
    next.id = *id;
  } else {
    next = {};
    next.id = draw_set_id();
  }
  return next;
}

}  // namespace xorloom
