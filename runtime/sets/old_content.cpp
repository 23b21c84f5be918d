#include "runtime/sets/old_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/modified_time.hpp"
#include "runtime/sets/set_input.hpp"
#include "runtime/shards/opened_set.hpp"

namespace xorloom {
namespace {

Options one_thread() {
  Options options;
  options.threads = 1;
  return options;
}

[[noreturn]] void fail_uncompared(const ShardSet& set) {
  fail(
      Status::kIo,
      fmt::format("{} cannot be recovered as it is found, so that what is to replace it is not "
                  "compared with it; nothing was changed; if disks are not mounted, or directories "
                  "not named, do that first; option accept_damage replaces it all the same",
                  describe(set)));
}

}  // namespace

struct OldContent::Reader {
  Reader(const FoundShards& found, const ShardSet& old)
      : shards(old),
        set(found, to_string(old.header.set), one_thread()),
        input(found, set, damage) {}

  const ShardSet& shards;
  OpenedSet set;
  SetDamage damage;
  SetInput input;
  std::vector<std::uint8_t> bytes;
};

OldContent::OldContent(const FoundShards& found, const std::optional<FileInfo>& info)
    : info_(info) {
  for (const ShardSet& set : found.sets) {
    const std::optional<FileInfo> old = remembered(set.header);
    const bool is_same_file = info && old && old->name == info->name &&
                              is_same_time({old->modified_seconds, old->modified_nanoseconds},
                                           {info->modified_seconds, info->modified_nanoseconds});
    if (!is_same_file || holds_files(set.header)) continue;
    try {
      reader_ = std::make_unique<Reader>(found, set);
      old_bytes_ = set.header.file_bytes;
      return;
    } catch (const Error&) {
      fail_uncompared(set);
    }
  }
}

OldContent::~OldContent() = default;

void OldContent::compare(std::span<const std::uint8_t> bytes) {
  bytes_ += bytes.size();
  if (!reader_ || differs_ || is_unread_) return;
  try {
    reader_->bytes.resize(bytes.size());
    const std::size_t old = reader_->input.read(reader_->bytes);
    differs_ = old != bytes.size() || !std::ranges::equal(reader_->bytes, bytes);
  } catch (const Error&) {
    is_unread_ = true;
  }
}

void OldContent::check() const {
  if (!reader_) return;
  const bool is_damaged = differs_ || bytes_ != old_bytes_;
  if (!is_damaged && is_unread_) fail_uncompared(reader_->shards);
  if (!is_damaged) return;
  if (reader_->shards.header.is_changed) {
    fail(
        Status::kInvalidArgument,
        "the set of {} was changed in place since it was encoded: decode writes what it holds now; "
        "option accept_damage encodes {} anew, and gives the changes up",
        info_->name, info_->name);
  }
  fail(Status::kInvalidArgument,
       fmt::format("{} is not what was encoded before, and its time is, as if by damage: "
                   "decode writes the old content; option accept_damage encodes the new one",
                   info_->name));
}

void check_archives(const FoundShards& found, const FindDamaged& find_damaged) {
  for (const ShardSet& set : found.sets) {
    if (!holds_files(set.header)) continue;
    SetDamage damage;
    std::optional<OpenedSet> opened;
    std::optional<SetInput> input;
    try {
      opened.emplace(found, to_string(set.header.set), one_thread());
      input.emplace(found, *opened, damage);
    } catch (const Error&) {
      fail_uncompared(set);
    }
    bool is_unread = false;
    const std::vector<std::string> damaged = find_damaged([&](std::span<std::uint8_t> bytes) {
      try {
        return input->read(bytes);
      } catch (const Error&) {
        is_unread = true;
        throw;
      }
    });
    if (damaged.empty() && is_unread) fail_uncompared(set);
    if (damaged.empty()) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} {} not what was encoded before, and {}, as if by damage: decode writes "
                     "the old content; option accept_damage encodes the new one",
                     few_names(damaged), damaged.size() == 1 ? "is" : "are",
                     damaged.size() == 1 ? "its time is" : "their times are"));
  }
}

}  // namespace xorloom
