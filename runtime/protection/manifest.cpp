#include "runtime/protection/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/stored_spec.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/protection/rolling_sum.hpp"

namespace xorloom {
namespace {

constexpr std::uint64_t kMostStreamBytes = std::uint64_t{1} << 62;
constexpr std::uint64_t kMostBlock = std::uint64_t{1} << 30;
constexpr std::uint32_t kNanoseconds = 1'000'000'000;
constexpr std::uint32_t kMostPermissions = 0777;

// | block_bytes | chunk_blocks | files | segments | spec size, 0 | spec | files … | sums … |
constexpr std::size_t kFixedBytes = 40;
// | bytes | seconds | nanoseconds | permissions | name size | 0 | name |
constexpr std::size_t kFileBytes = 32;
constexpr std::size_t kSumsBytes = 16;

/// Reads a text from its beginning to its end.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> text) : text_(text) {}

  std::span<const std::uint8_t> take(std::uint64_t bytes) {
    if (bytes > text_.size()) refuse_manifest("it ends too soon");
    const auto taken = text_.first(static_cast<std::size_t>(bytes));
    text_ = text_.subspan(taken.size());
    return taken;
  }
  template <typename Number>
  Number number() {
    return get<Number>(take(sizeof(Number)).data());
  }
  std::string padded_text(std::uint32_t bytes) {
    const auto text = take(padded(bytes));
    const auto rest = text.subspan(bytes);
    if (std::ranges::any_of(rest, [](auto byte) { return byte != 0; })) {
      refuse_manifest("a name is not padded with zeros");
    }
    return {text.begin(), text.begin() + bytes};
  }
  std::size_t left() const { return text_.size(); }

 private:
  std::span<const std::uint8_t> text_;
};

ProtectedFile parse_file(Reader& reader) {
  ProtectedFile file;
  file.bytes = reader.number<std::uint64_t>();
  file.modified_seconds = static_cast<std::int64_t>(reader.number<std::uint64_t>());
  file.modified_nanoseconds = reader.number<std::uint32_t>();
  file.permissions = reader.number<std::uint32_t>();
  const auto name_bytes = reader.number<std::uint32_t>();
  if (reader.number<std::uint32_t>() != 0) refuse_manifest("a file has flags that are not known");
  if (name_bytes > kMaxPathBytes) refuse_manifest(fmt::format("a name has {} bytes", name_bytes));
  file.name = reader.padded_text(name_bytes);
  if (const auto why = why_no_path(file.name)) {
    refuse_manifest(
        fmt::format("'{}' is no name of a protected file: {}", excerpt(file.name), *why));
  }
  if (file.permissions > kMostPermissions || file.modified_nanoseconds >= kNanoseconds) {
    refuse_manifest(fmt::format("'{}' has impossible permissions or times", excerpt(file.name)));
  }
  return file;
}

/// Throws if a file's name is that of a directory of another. Shape: by name, ascending.
void check_no_file_is_a_directory(const std::vector<ProtectedFile>& files) {
  for (const ProtectedFile& file : files) {
    for (std::size_t at = file.name.find('/'); at != std::string::npos;
         at = file.name.find('/', at + 1)) {
      const std::string directory = file.name.substr(0, at);
      const auto found = std::ranges::lower_bound(files, directory, {}, &ProtectedFile::name);
      if (found == files.end() || found->name != directory) continue;
      refuse_manifest(fmt::format("'{}' is a file and a directory", excerpt(directory)));
    }
  }
}

}  // namespace

void refuse_manifest(const std::string& why) {
  fail(Status::kDamaged, "the list of protected files contradicts itself: " + why);
}

SegmentSums sums_of(std::span<const std::uint8_t> segment) noexcept {
  return {RollingSum(segment).value(), checksum(segment)};
}

std::uint64_t stream_bytes(const std::vector<ProtectedFile>& files) {
  std::uint64_t bytes = 0;
  for (const ProtectedFile& file : files) {
    if (file.bytes > kMostStreamBytes - bytes) {
      fail(Status::kInvalidArgument,
           fmt::format("the files have more than {} bytes together", kMostStreamBytes));
    }
    bytes += file.bytes;
  }
  return bytes;
}

std::uint64_t manifest_bytes(const Manifest& manifest) {
  std::uint64_t bytes = kFixedBytes + padded(manifest.spec.size());
  for (const ProtectedFile& file : manifest.files) bytes += kFileBytes + padded(file.name.size());
  return bytes + kSumsBytes * manifest.sums.size();
}

std::vector<std::uint8_t> manifest_text(const Manifest& manifest) {
  std::vector<std::uint8_t> text(manifest_bytes(manifest));
  std::uint8_t* at = text.data();
  const auto add = [&](auto number) {
    put(at, number);
    at += sizeof number;
  };
  const auto add_text = [&](const std::string& words) {
    std::ranges::copy(words, at);
    at += padded(words.size());
  };
  add(manifest.block_bytes);
  add(manifest.chunk_blocks);
  add(std::uint64_t{manifest.files.size()});
  add(std::uint64_t{manifest.sums.size()});
  add(static_cast<std::uint32_t>(manifest.spec.size()));
  add(std::uint32_t{0});
  add_text(manifest.spec);
  for (const ProtectedFile& file : manifest.files) {
    add(file.bytes);
    add(static_cast<std::uint64_t>(file.modified_seconds));
    add(file.modified_nanoseconds);
    add(file.permissions);
    add(static_cast<std::uint32_t>(file.name.size()));
    add(std::uint32_t{0});
    add_text(file.name);
  }
  for (const SegmentSums& sums : manifest.sums) {
    add(sums.rolling);
    add(sums.strong);
  }
  return text;
}

Manifest parse_manifest(std::span<const std::uint8_t> text) {
  Reader reader(text);
  Manifest manifest;
  manifest.block_bytes = reader.number<std::uint64_t>();
  manifest.chunk_blocks = reader.number<std::uint64_t>();
  const auto files = reader.number<std::uint64_t>();
  const auto segments = reader.number<std::uint64_t>();
  const auto spec_bytes = reader.number<std::uint32_t>();
  if (reader.number<std::uint32_t>() != 0) refuse_manifest("it has flags that are not known");
  if (spec_bytes > kMaxStoredSpecBytes) {
    refuse_manifest(fmt::format("the code spec has {} bytes", spec_bytes));
  }
  if (manifest.block_bytes == 0 || manifest.block_bytes > kMostBlock) {
    refuse_manifest(
        fmt::format("block size = {} is not one of 1 to {}", manifest.block_bytes, kMostBlock));
  }
  manifest.spec = reader.padded_text(spec_bytes);
  if (files > reader.left() / kFileBytes)
    refuse_manifest(fmt::format("it has no room for {} files", files));
  for (std::uint64_t i = 0; i < files; ++i) {
    manifest.files.push_back(parse_file(reader));
    if (i != 0 && manifest.files[i - 1].name >= manifest.files[i].name) {
      refuse_manifest(fmt::format("'{}' is out of order", excerpt(manifest.files[i].name)));
    }
  }
  check_no_file_is_a_directory(manifest.files);
  if (reader.left() % kSumsBytes != 0 || segments != reader.left() / kSumsBytes) {
    refuse_manifest(
        fmt::format("{} bytes are not the checksums of {} segments", reader.left(), segments));
  }
  static_cast<void>(stream_bytes(manifest.files));
  for (std::uint64_t i = 0; i < segments; ++i) {
    const auto rolling = reader.number<std::uint64_t>();
    manifest.sums.push_back({rolling, reader.number<std::uint64_t>()});
  }
  if (FileMap(manifest.files, manifest.block_bytes).num_segments() != segments) {
    refuse_manifest(fmt::format("its files do not have {} segments", segments));
  }
  return manifest;
}

}  // namespace xorloom
