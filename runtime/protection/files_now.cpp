#include "runtime/protection/files_now.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "runtime/files/checksum.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/stream_reader.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// How a file compares with what a protected one was.
struct Compared {
  std::uint64_t equal = 0;  ///< bytes of blocks that are the same
  bool is_equal = false;
  int error = 0;  ///< errno, if it cannot be read; -1 if it is shorter, or no regular file
};

/// Compares a file with a protected one of the same length, block by block. The block in the middle
/// is the first: many files begin alike. `to_the_end`: even if a block differs.
Compared compare(const Protection& protection, std::size_t file, const OpenFile& with,
                 bool to_the_end, std::uint64_t& bytes_read) {
  const FileMap& map = protection.map;
  if (!with.is_open()) return {.error = with.error() == 0 ? -1 : with.error()};
  Compared found;
  std::vector<std::uint8_t> buffer;
  const std::size_t first = map.first_segment(file);
  const std::size_t count = map.first_segment(file + 1) - first;
  for (std::size_t i = 0; i < count; ++i) {
    const Segment segment = map.segment(file, first + (count / 2 + i) % count);
    buffer.resize(segment.bytes);
    if (const int code = with.read_at(segment.file_offset, buffer); code != 0) {
      return {.error = code};
    }
    bytes_read += segment.bytes;
    const bool is_equal = checksum(buffer) == protection.manifest.sums[segment.number].strong;
    if (is_equal) found.equal += segment.bytes;
    if (!is_equal && !to_the_end) return found;
  }
  found.is_equal = found.equal == map.bytes_of_file(file);
  return found;
}

/// Files of one size and one time.
struct Alike {
  std::vector<std::size_t> before;
  std::vector<std::size_t> now;
};

class Settling {
 public:
  Settling(const Protection& old, const ListedFiles& listed, fs::path base, FilesRead read,
           Progress& progress)
      : old_(old),
        before_(old.manifest.files),
        now_(listed.files),
        directories_(listed.attributes),
        base_(std::move(base)),
        read_(read),
        progress_(progress),
        changes_(compare_files(before_, now_)) {
    result_.same = changes_.same;
    for (const auto& [before, now] : changes_.same) own_[now] = before;
    for (const auto& [before, now] : changes_.resized) result_.damaged[now] = before;
  }

  FilesNow run() {
    std::map<SizeAndTime, Alike> groups;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i].bytes != 0) groups[size_and_time(before_[i])].before.push_back(i);
    }
    for (std::size_t i = 0; i < now_.size(); ++i) {
      const auto group = groups.find(size_and_time(now_[i]));
      if (group != groups.end()) group->second.now.push_back(i);
    }
    std::erase_if(groups, [this](const auto& each) { return !is_to_be_read(each.second); });
    std::uint64_t bytes = 0;
    for (const auto& each : groups) {
      for (const std::size_t now : each.second.now) bytes += now_[now].bytes;
    }
    progress_.begin("comparing with the old protection", bytes);
    for (const auto& each : groups) settle(each.second);
    set_gone();
    return std::move(result_);
  }

 private:
  fs::path path_of(std::size_t now) const { return base_ / now_[now].name; }

  /// True if a directory is not known, or a name in it changed since.
  bool has_changed(const std::string& file) const {
    const auto end = file.rfind('/');
    const std::string name = end == std::string::npos ? "" : file.substr(0, end);
    const auto find = [&](const std::vector<ProtectedDirectory>& all) {
      const auto found = std::ranges::lower_bound(all, name, {}, &ProtectedDirectory::name);
      return found != all.end() && found->name == name ? &*found : nullptr;
    };
    const ProtectedDirectory* const before = find(old_.manifest.directories);
    const ProtectedDirectory* const now = find(directories_);
    return before == nullptr || now == nullptr ||
           before->modified_seconds != now->modified_seconds ||
           before->modified_nanoseconds != now->modified_nanoseconds;
  }

  bool is_to_be_read(const Alike& alike) const {
    if (alike.now.empty()) return false;
    if (read_ == FilesRead::kAll) return true;
    const auto is_known = [&](std::size_t now) { return own_.contains(now); };
    const auto is_there = [&](std::size_t before) { return result_.same.contains(before); };
    if (!std::ranges::all_of(alike.now, is_known)) return true;
    if (alike.before.size() == 1 && alike.now.size() == 1) return false;
    return !std::ranges::all_of(alike.before, is_there) ||
           std::ranges::any_of(alike.before,
                               [&](std::size_t i) { return has_changed(before_[i].name); }) ||
           std::ranges::any_of(alike.now, [&](std::size_t i) { return has_changed(now_[i].name); });
  }

  void settle(const Alike& alike) {
    for (const std::size_t before : alike.before) result_.same.erase(before);
    std::vector<std::size_t> others;  // now: not what the files of their names were
    for (const std::size_t now : alike.now) {
      progress_.done += now_[now].bytes;
      const auto own = own_.find(now);
      const bool is_own =
          own != own_.end() && is_same_or_unread(own->second, OpenFile(path_of(now)));
      if (is_own) {
        result_.same[own->second] = now;
      } else {
        others.push_back(now);
      }
    }
    if (others.empty()) return;
    std::erase_if(others, [&](std::size_t now) { return is_another(alike, now); });
    take_for_damaged(alike, others);
  }

  bool is_same_or_unread(std::size_t before, const OpenFile& file) {
    const Compared compared = compare(old_, before, file, false, result_.bytes_read);
    return compared.is_equal || compared.error > 0;
  }

  /// True if a file is what another one was, or has the same content as one.
  bool is_another(const Alike& alike, std::size_t now) {
    const OpenFile file(path_of(now));
    std::optional<std::size_t> copied;
    for (const std::size_t before : alike.before) {
      const bool is_taken = result_.same.contains(before);
      if (is_taken && copied) continue;
      const Compared compared = compare(old_, before, file, false, result_.bytes_read);
      if (compared.error > 0) fail_unread_file(now_[now].name, base_, compared.error);
      if (!compared.is_equal) continue;
      if (!is_taken) {
        result_.same[before] = now;
        result_.damaged.erase(now);
        return true;
      }
      copied = before;
    }
    if (copied) result_.damaged.erase(now);
    return copied.has_value();
  }

  /// Files that nothing was found of, which some of their size and time may have become by damage.
  void take_for_damaged(const Alike& alike, const std::vector<std::size_t>& others) {
    std::set<std::size_t> lost;  // before
    for (const std::size_t before : alike.before) {
      if (!result_.same.contains(before)) lost.insert(before);
    }
    std::vector<std::size_t> strange;
    for (const std::size_t now : others) {
      if (const auto before = most_like(lost, now)) {
        result_.damaged[now] = *before;
        lost.erase(*before);
      } else {
        strange.push_back(now);
      }
    }
    std::set<std::size_t> without_name = lost;  // whose name no strange file has
    for (const std::size_t now : strange) {
      if (const auto own = own_.find(now); own != own_.end()) without_name.erase(own->second);
    }
    for (const std::size_t now : strange) {
      const auto own = own_.find(now);
      const bool has_name = own != own_.end();
      if (has_name && lost.contains(own->second)) {
        take(now, own->second, without_name.empty());
      } else if (has_name && is_damaged_copy(now, own->second)) {
        result_.damaged[now] = own->second;
        result_.same.erase(own->second);
      } else if (!without_name.empty() && (has_name || now_[now].modified_nanoseconds != 0)) {
        const std::size_t before = *without_name.begin();
        take(now, before, without_name.size() == 1);
        if (without_name.size() == 1) without_name.clear();
      } else if (!has_name) {
        find_rival(alike, now);
      }
    }
  }

  /// If a file may be the gone one that another file was taken for, it is unclear which one is.
  void find_rival(const Alike& alike, std::size_t now) {
    for (const std::size_t rival : alike.now) {
      const auto taken = result_.damaged.find(rival);
      if (taken == result_.damaged.end() || now_[rival].name == before_[taken->second].name)
        continue;
      if (!most_like({taken->second}, now) && now_[now].modified_nanoseconds == 0) continue;
      result_.damaged.erase(taken);
      result_.unclear.push_back(rival);
      result_.unclear.push_back(now);
      return;
    }
  }

  void take(std::size_t now, std::size_t before, bool is_clear) {
    if (is_clear) {
      result_.damaged[now] = before;
    } else {
      result_.damaged.erase(now);
      result_.unclear.push_back(now);
    }
  }

  /// The lost file of which a file has the most blocks in their places. Where times are coarse, it
  /// may be another file, unless it has the name or half of the bytes.
  std::optional<std::size_t> most_like(const std::set<std::size_t>& lost, std::size_t now) {
    const OpenFile file(path_of(now));
    const auto own = own_.find(now);
    const auto is_own = [&](std::size_t before) {
      return own != own_.end() && own->second == before;
    };
    std::optional<std::size_t> best;
    std::uint64_t most = 0;
    for (const std::size_t before : lost) {
      const std::uint64_t equal = compare(old_, before, file, true, result_.bytes_read).equal;
      if (equal < most || equal == 0 || (equal == most && !is_own(before))) continue;
      most = equal;
      best = before;
    }
    const bool is_likely =
        own != own_.end() || now_[now].modified_nanoseconds != 0 || 2 * most >= now_[now].bytes;
    return is_likely ? best : std::nullopt;
  }

  /// True if the content of a file's name is whole under another one, and the file is like that.
  bool is_damaged_copy(std::size_t now, std::size_t own) const {
    const auto whole = result_.same.find(own);
    return whole != result_.same.end() && may_be_damage_of(path_of(whole->second), path_of(now));
  }

  void set_gone() {
    std::set<std::size_t> there;  // before
    std::map<std::size_t, std::size_t> was;
    for (const auto& [before, now] : result_.same) {
      there.insert(before);
      was[now] = before;
    }
    for (const auto& [now, before] : result_.damaged) {
      there.insert(before);
      was[now] = before;
    }
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (there.contains(i)) continue;
      const auto named = std::ranges::lower_bound(now_, before_[i].name, {}, &ProtectedFile::name);
      if (named == now_.end() || named->name != before_[i].name) {
        result_.gone.push_back(i);
      } else if (was.contains(static_cast<std::size_t>(named - now_.begin()))) {
        result_.replaced.push_back(i);
      }
    }
  }

  const Protection& old_;
  const std::vector<ProtectedFile>& before_;
  const std::vector<ProtectedFile>& now_;
  const std::vector<ProtectedDirectory>& directories_;
  fs::path base_;
  FilesRead read_;
  Progress& progress_;
  FileChanges changes_;
  std::map<std::size_t, std::size_t> own_;  ///< by file now: of its size, time and name
  FilesNow result_;
};

}  // namespace

FilesNow find_files_now(const Protection& old, const ListedFiles& listed, const fs::path& base,
                        FilesRead read, Progress& progress) {
  return Settling(old, listed, base, read, progress).run();
}

bool may_be_damage_of(const fs::path& whole, const fs::path& damaged) {
  const OpenFile good(whole);
  const OpenFile other(damaged);
  if (!good.is_open() || !other.is_open()) return false;
  // Small pieces, since one wrong byte is one wrong piece; not so small that files agree by chance.
  const std::uint64_t piece = std::clamp<std::uint64_t>(other.bytes() / 16, 1, 64);
  constexpr std::size_t kPieces = 4096;
  std::vector<std::uint8_t> a(static_cast<std::size_t>(piece) * kPieces);
  std::vector<std::uint8_t> b(a.size());
  std::uint64_t like = 0;
  for (std::uint64_t at = 0; at < other.bytes(); at += a.size()) {
    const auto bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(a.size(), other.bytes() - at));
    const auto there =
        at >= good.bytes()
            ? std::size_t{0}
            : static_cast<std::size_t>(std::min<std::uint64_t>(bytes, good.bytes() - at));
    if (other.read_at(at, std::span(b).first(bytes)) != 0) return false;
    if (good.read_at(at, std::span(a).first(there)) != 0) return false;
    for (std::size_t i = 0; i < bytes; i += piece) {
      const std::size_t count = std::min<std::size_t>(piece, bytes - i);
      const auto text = std::span(b).subspan(i, count);
      const bool is_equal =
          i + count <= there && std::ranges::equal(text, std::span(a).subspan(i, count));
      const bool is_zero = std::ranges::all_of(text, [](std::uint8_t byte) { return byte == 0; });
      if (is_equal || is_zero) like += count;
    }
  }
  return 2 * like >= other.bytes();
}

bool has_content_of(const Protection& protection, std::size_t file, const fs::path& path) {
  const OpenFile opened(path);
  std::uint64_t bytes_read = 0;
  return opened.is_open() && opened.bytes() == protection.map.bytes_of_file(file) &&
         compare(protection, file, opened, false, bytes_read).is_equal;
}

}  // namespace xorloom
