#include "runtime/protection/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "codes/families/families.hpp"
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

// | block_bytes | chunk_blocks | files | segments | given up | spec size | directories |
// | excluded | attributes | percent | k | flags | m | spec | directories … | excluded … |
// | given up … | files … | attributes … | sums … |
constexpr std::size_t kFixedBytes = 80;
// | bytes | seconds | nanoseconds | permissions | name size | pieces | name | pieces … |
constexpr std::size_t kFileBytes = 32;
// | seconds | nanoseconds | permissions | name size | 0 | name |
constexpr std::size_t kAttributesBytes = 24;
constexpr std::size_t kTextBytes = 8;       // | size | 0 | text |
constexpr std::uint32_t kFollowsLinks = 1;  // a flag
constexpr std::size_t kPieceBytes = 16;
constexpr std::size_t kSumsBytes = 16;

constexpr double kMostPercent = 1e6;

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
  std::string sized_text() {
    const auto bytes = number<std::uint32_t>();
    if (number<std::uint32_t>() != 0) refuse_manifest("a name has flags that are not known");
    if (bytes > kMaxPathBytes) refuse_manifest(fmt::format("a name has {} bytes", bytes));
    return padded_text(bytes);
  }
  Piece piece() {
    Piece piece;
    piece.at = number<std::uint64_t>();
    piece.bytes = number<std::uint64_t>();
    if (piece.bytes == 0 || piece.at > kMostStreamBytes ||
        piece.bytes > kMostStreamBytes - piece.at) {
      refuse_manifest(fmt::format("no {} bytes are at {} of its stream", piece.bytes, piece.at));
    }
    return piece;
  }
  /// A number of things that have at least `bytes_of_each` bytes each.
  template <typename Number>
  std::size_t count(std::size_t bytes_of_each, const char* what) {
    const auto count = number<Number>();
    if (count > left() / bytes_of_each) {
      refuse_manifest(fmt::format("it has no room for {} {}", count, what));
    }
    return static_cast<std::size_t>(count);
  }
  std::size_t left() const { return text_.size(); }

 private:
  std::span<const std::uint8_t> text_;
};

/// Throws if a file or a directory cannot have such a name, permissions or time.
template <typename Entry>
void check_entry(const Entry& entry) {
  if (const auto why = why_no_path(entry.name)) {
    refuse_manifest(fmt::format("'{}' is no name of a protected file or directory: {}",
                                excerpt(entry.name), *why));
  }
  if (entry.permissions > kMostPermissions || entry.modified_nanoseconds >= kNanoseconds) {
    refuse_manifest(fmt::format("'{}' has impossible permissions or times", excerpt(entry.name)));
  }
}

ProtectedFile parse_file(Reader& reader) {
  ProtectedFile file;
  file.bytes = reader.number<std::uint64_t>();
  file.modified_seconds = static_cast<std::int64_t>(reader.number<std::uint64_t>());
  file.modified_nanoseconds = reader.number<std::uint32_t>();
  file.permissions = reader.number<std::uint32_t>();
  const auto name_bytes = reader.number<std::uint32_t>();
  const auto pieces = reader.count<std::uint32_t>(kPieceBytes, "pieces of a file");
  if (name_bytes > kMaxPathBytes) refuse_manifest(fmt::format("a name has {} bytes", name_bytes));
  file.name = reader.padded_text(name_bytes);
  check_entry(file);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    file.pieces.push_back(reader.piece());
    bytes += file.pieces.back().bytes;
    if (bytes > file.bytes) break;
  }
  if (bytes != file.bytes) {
    refuse_manifest(
        fmt::format("the pieces of '{}' are not its {} bytes", excerpt(file.name), file.bytes));
  }
  return file;
}

ProtectedDirectory parse_directory(Reader& reader) {
  ProtectedDirectory directory;
  directory.modified_seconds = static_cast<std::int64_t>(reader.number<std::uint64_t>());
  directory.modified_nanoseconds = reader.number<std::uint32_t>();
  directory.permissions = reader.number<std::uint32_t>();
  directory.name = reader.sized_text();
  check_entry(directory);
  return directory;
}

ProtectionScope parse_scope(Reader& reader, std::size_t directories, std::size_t excluded) {
  ProtectionScope scope;
  for (std::size_t i = 0; i < directories; ++i) {
    std::string name = reader.sized_text();
    if (!name.empty()) {
      if (const auto why = why_no_path(name)) {
        refuse_manifest(fmt::format("'{}' is no directory: {}", excerpt(name), *why));
      }
    }
    if (i != 0 && scope.directories.back() >= name) {
      refuse_manifest(fmt::format("the directory '{}' is out of order", excerpt(name)));
    }
    scope.directories.push_back(std::move(name));
  }
  for (std::size_t i = 0; i < excluded; ++i) {
    scope.excluded.push_back(reader.sized_text());
    if (!is_pattern(scope.excluded.back())) {
      refuse_manifest(fmt::format("'{}' is no pattern", excerpt(scope.excluded.back())));
    }
  }
  return scope;
}

/// Throws if any bytes of the stream belong to two pieces.
void check_pieces(const Manifest& manifest) {
  std::vector<Piece> pieces = manifest.given_up;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].at < pieces[i - 1].at) refuse_manifest("what was given up is out of order");
  }
  for (const ProtectedFile& file : manifest.files) {
    pieces.insert(pieces.end(), file.pieces.begin(), file.pieces.end());
  }
  std::ranges::sort(pieces, {}, &Piece::at);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].at >= pieces[i - 1].end()) continue;
    refuse_manifest(fmt::format("byte {} of its stream belongs to two files", pieces[i].at));
  }
}

/// Throws if the name of a file is that of a directory of another. Precondition: `files` ascend by
/// name.
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

bool is_pattern(std::string_view text) {
  return !text.empty() && text.size() <= kMaxPathBytes && text.find('\0') == std::string_view::npos;
}

std::uint64_t manifest_bytes(const Manifest& manifest) {
  std::uint64_t bytes = kFixedBytes + padded(manifest.spec.size());
  for (const auto* const texts : {&manifest.scope.directories, &manifest.scope.excluded}) {
    for (const std::string& text : *texts) bytes += kTextBytes + padded(text.size());
  }
  bytes += kPieceBytes * manifest.given_up.size();
  for (const ProtectedFile& file : manifest.files) {
    bytes += kFileBytes + padded(file.name.size()) + kPieceBytes * file.pieces.size();
  }
  for (const ProtectedDirectory& directory : manifest.directories) {
    bytes += kAttributesBytes + padded(directory.name.size());
  }
  return bytes + kSumsBytes * manifest.sums.size();
}

bool protects(const Manifest& manifest, const std::string& name) {
  return std::ranges::binary_search(manifest.files, name, {}, &ProtectedFile::name);
}

std::vector<std::uint8_t> manifest_text(const Manifest& manifest) {
  std::vector<std::uint8_t> text;
  text.reserve(manifest_bytes(manifest));
  for_text_of(manifest, [&](std::span<const std::uint8_t> part) {
    text.insert(text.end(), part.begin(), part.end());
  });
  return text;
}

void for_text_of(const Manifest& manifest,
                 const std::function<void(std::span<const std::uint8_t>)>& take) {
  constexpr std::size_t kPartBytes = std::size_t{1} << 16;
  std::vector<std::uint8_t> part;
  const auto add = [&](auto number) {
    if (part.size() >= kPartBytes) {
      take(part);
      part.clear();
    }
    part.resize(part.size() + sizeof number);
    put(part.data() + part.size() - sizeof number, number);
  };
  const auto add_size = [&](std::size_t size) { add(static_cast<std::uint32_t>(size)); };
  const auto add_text = [&](const std::string& words) {
    part.insert(part.end(), words.begin(), words.end());
    part.resize(part.size() + padded(words.size()) - words.size());
  };
  const auto add_pieces = [&](const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      add(piece.at);
      add(piece.bytes);
    }
  };
  const ProtectionScope& scope = manifest.scope;
  add(manifest.block_bytes);
  add(manifest.chunk_blocks);
  add(std::uint64_t{manifest.files.size()});
  add(std::uint64_t{manifest.sums.size()});
  add(std::uint64_t{manifest.given_up.size()});
  add_size(manifest.spec.size());
  add_size(scope.directories.size());
  add_size(scope.excluded.size());
  add_size(manifest.directories.size());
  add(std::bit_cast<std::uint64_t>(scope.redundancy.percent));
  add_size(scope.redundancy.k);
  add(scope.follows_links ? kFollowsLinks : std::uint32_t{0});
  add(std::uint64_t{scope.redundancy.m});
  add_text(manifest.spec);
  for (const auto* const texts : {&scope.directories, &scope.excluded}) {
    for (const std::string& words : *texts) {
      add_size(words.size());
      add(std::uint32_t{0});
      add_text(words);
    }
  }
  add_pieces(manifest.given_up);
  for (const ProtectedFile& file : manifest.files) {
    add(file.bytes);
    add(static_cast<std::uint64_t>(file.modified_seconds));
    add(file.modified_nanoseconds);
    add(file.permissions);
    add_size(file.name.size());
    add_size(file.pieces.size());
    add_text(file.name);
    add_pieces(file.pieces);
  }
  for (const ProtectedDirectory& directory : manifest.directories) {
    add(static_cast<std::uint64_t>(directory.modified_seconds));
    add(directory.modified_nanoseconds);
    add(directory.permissions);
    add_size(directory.name.size());
    add(std::uint32_t{0});
    add_text(directory.name);
  }
  for (const SegmentSums& sums : manifest.sums) {
    add(sums.rolling);
    add(sums.strong);
  }
  take(part);
}

Manifest parse_manifest(std::span<const std::uint8_t> text) {
  Reader reader(text);
  Manifest manifest;
  manifest.block_bytes = reader.number<std::uint64_t>();
  manifest.chunk_blocks = reader.number<std::uint64_t>();
  const auto files = reader.count<std::uint64_t>(kFileBytes, "files");
  const auto segments = reader.number<std::uint64_t>();
  const auto given_up = reader.count<std::uint64_t>(kPieceBytes, "pieces that were given up");
  const auto spec_bytes = reader.number<std::uint32_t>();
  const auto directories = reader.count<std::uint32_t>(kTextBytes, "directories");
  const auto excluded = reader.count<std::uint32_t>(kTextBytes, "patterns");
  const auto attributes = reader.count<std::uint32_t>(kAttributesBytes, "attributes");
  RedundancyWanted wanted;
  wanted.percent = std::bit_cast<double>(reader.number<std::uint64_t>());
  wanted.k = reader.number<std::uint32_t>();
  const auto flags = reader.number<std::uint32_t>();
  wanted.m = static_cast<std::size_t>(reader.number<std::uint64_t>());
  if (!(wanted.percent > 0) || wanted.percent > kMostPercent || wanted.k > kMaxLocations ||
      wanted.m > kMaxLocations) {
    refuse_manifest("it wants redundancy that cannot be");
  }
  if ((flags & ~kFollowsLinks) != 0) refuse_manifest("it has flags that are not known");
  if (spec_bytes > kMaxStoredSpecBytes) {
    refuse_manifest(fmt::format("the code spec has {} bytes", spec_bytes));
  }
  if (manifest.block_bytes == 0 || manifest.block_bytes > kMostBlock) {
    refuse_manifest(
        fmt::format("block size = {} is not one of 1 to {}", manifest.block_bytes, kMostBlock));
  }
  manifest.spec = reader.padded_text(spec_bytes);
  manifest.scope = parse_scope(reader, directories, excluded);
  manifest.scope.redundancy = wanted;
  manifest.scope.follows_links = flags == kFollowsLinks;
  for (std::size_t i = 0; i < given_up; ++i) manifest.given_up.push_back(reader.piece());
  for (std::size_t i = 0; i < files; ++i) {
    manifest.files.push_back(parse_file(reader));
    if (i != 0 && manifest.files[i - 1].name >= manifest.files[i].name) {
      refuse_manifest(fmt::format("'{}' is out of order", excerpt(manifest.files[i].name)));
    }
  }
  for (std::size_t i = 0; i < attributes; ++i) {
    manifest.directories.push_back(parse_directory(reader));
    const std::string& name = manifest.directories.back().name;
    if (i != 0 && manifest.directories[i - 1].name >= name) {
      refuse_manifest(fmt::format("the attributes of '{}' are out of order", excerpt(name)));
    }
  }
  check_no_file_is_a_directory(manifest.files);
  if (reader.left() % kSumsBytes != 0 || segments != reader.left() / kSumsBytes) {
    refuse_manifest(
        fmt::format("{} bytes are not the checksums of {} segments", reader.left(), segments));
  }
  check_pieces(manifest);
  for (std::uint64_t i = 0; i < segments; ++i) {
    const auto rolling = reader.number<std::uint64_t>();
    manifest.sums.push_back({rolling, reader.number<std::uint64_t>()});
  }
  if (manifest.map().num_segments() != segments) {
    refuse_manifest(fmt::format("its files do not have {} segments", segments));
  }
  return manifest;
}

}  // namespace xorloom
