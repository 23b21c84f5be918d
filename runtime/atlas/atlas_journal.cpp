#include "runtime/atlas/atlas_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <span>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/mapped_file.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, 8> kAtlasJournalMagic = {0x89, 'X',  'L',  'J',
                                                            '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kFrameBytes = 8;  ///< pattern and length

template <typename Number>
void append(Bytes& bytes, Number number) {
  bytes.resize(bytes.size() + sizeof number);
  put(bytes.data() + bytes.size() - sizeof number, number);
}

/// The bytes that the journal of a subject begins with.
Bytes beginning_of(const AtlasSubject& subject) {
  const Bytes text = subject_bytes(subject);
  Bytes bytes(kAtlasJournalMagic.begin(), kAtlasJournalMagic.end());
  append(bytes, static_cast<std::uint32_t>(text.size()));
  bytes.insert(bytes.end(), text.begin(), text.end());
  append(bytes, checksum(bytes));
  return bytes;
}

std::uint64_t checksum_of(std::uint64_t salt, std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, sizeof salt> first;
  put(first.data(), salt);
  return checksum(first, bytes);
}

Bytes bytes_of(std::uint64_t salt, std::uint64_t pattern, const AtlasPart& part) {
  Bytes bytes;
  std::size_t size = 0;
  for (const Bytes& record : part.records) size += 4 + record.size();
  append(bytes, static_cast<std::uint32_t>(pattern));
  append(bytes, static_cast<std::uint32_t>(size));
  for (const Bytes& record : part.records) {
    append(bytes, static_cast<std::uint32_t>(record.size()));
    bytes.insert(bytes.end(), record.begin(), record.end());
  }
  append(bytes, checksum_of(salt, bytes));
  return bytes;
}

/// The part that `bytes` begin with, and the number of its bytes; nullopt if it is not whole.
std::optional<std::pair<AtlasPart, std::size_t>> first_part(std::uint64_t salt,
                                                            std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kFrameBytes + kChecksumBytes) return std::nullopt;
  const std::size_t size = get<std::uint32_t>(bytes.data() + 4);
  if (bytes.size() - kFrameBytes - kChecksumBytes < size) return std::nullopt;
  const std::size_t covered = kFrameBytes + size;
  if (get<std::uint64_t>(bytes.data() + covered) != checksum_of(salt, bytes.first(covered))) {
    return std::nullopt;
  }
  std::span<const std::uint8_t> rest = bytes.subspan(kFrameBytes, size);
  AtlasPart part;
  for (Bytes& record : part.records) {
    if (rest.size() < 4) return std::nullopt;
    const std::size_t length = get<std::uint32_t>(rest.data());
    rest = rest.subspan(4);
    if (rest.size() < length) return std::nullopt;
    record.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
    rest = rest.subspan(length);
  }
  const bool is_nothing = part.records[0].empty();
  for (const Bytes& record : part.records) {
    if (record.empty() != is_nothing) return std::nullopt;
  }
  return std::pair{std::move(part), covered + kChecksumBytes};
}

}  // namespace

std::filesystem::path AtlasJournal::path_beside(const std::filesystem::path& atlas) {
  std::filesystem::path path = atlas;
  return path += ".part";
}

AtlasJournal::AtlasJournal(std::filesystem::path path, const AtlasSubject& subject,
                           const std::function<void(std::uint64_t, AtlasPart)>& take)
    : path_(std::move(path)) {
  while (!open()) {
  }
  try {
    const std::size_t whole = read(subject, take);
    if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
      fail_on_io("write", path_, errno);
    }
    if (whole == 0) write_to(descriptor_, beginning_of(subject), path_);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

/// Opens and locks the file. False if it was removed meanwhile because its atlas is done.
bool AtlasJournal::open() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) fail_on_io("write", path_, errno);
  const int locked = ::flock(descriptor_, LOCK_EX | LOCK_NB);
  const int code = errno;
  struct stat status {};
  const bool is_there = ::fstat(descriptor_, &status) == 0 && status.st_nlink != 0;
  if (locked == 0 && is_there) return true;
  ::close(descriptor_);
  if (locked != 0 && code == EWOULDBLOCK) {
    fail(Status::kIo, "another program is making the atlas of which {} is the beginning",
         path_.string());
  }
  if (locked != 0) fail_on_io("lock", path_, code);
  return false;
}

/// Returns the bytes up to the end of the last whole part; 0 if even the beginning is not whole.
std::size_t AtlasJournal::read(const AtlasSubject& subject,
                               const std::function<void(std::uint64_t, AtlasPart)>& take) {
  const Bytes beginning = beginning_of(subject);
  salt_ = checksum(beginning);
  const MappedFile file(path_);
  std::span<const std::uint8_t> bytes = file.bytes();
  if (std::ranges::equal(bytes,
                         std::span(beginning).first(std::min(bytes.size(), beginning.size()))) &&
      bytes.size() < beginning.size()) {
    return 0;
  }
  const auto has = [&](std::size_t size) {
    return bytes.size() >= size &&
           std::ranges::equal(bytes.first(size), std::span(beginning).first(size));
  };
  if (!has(beginning.size())) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is {}; remove it, or choose another name for the atlas", path_.string(),
                     has(kAtlasJournalMagic.size())
                         ? "the beginning of an atlas of another code, effort, "
                           "number of steps or seed"
                         : "not the beginning of an atlas"));
  }
  std::size_t whole = beginning.size();
  while (auto part = first_part(salt_, bytes.subspan(whole))) {
    take(get<std::uint32_t>(bytes.data() + whole), std::move(part->first));
    whole += part->second;
  }
  return whole;
}

AtlasJournal::~AtlasJournal() { ::close(descriptor_); }

void AtlasJournal::add(std::uint64_t pattern, const AtlasPart& part) {
  const Bytes bytes = bytes_of(salt_, pattern, part);
  const std::lock_guard lock(mutex_);
  write_to(descriptor_, bytes, path_);
}

void AtlasJournal::remove() noexcept { ::unlink(path_.c_str()); }

}  // namespace xorloom
