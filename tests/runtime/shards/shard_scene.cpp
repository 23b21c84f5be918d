#include "tests/runtime/shards/shard_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <utility>

#include "codes/families/families.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom::test {

namespace fs = std::filesystem;

std::string random_text(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  std::string pair;
  for (const char digit : digits) {
    if (digit == ' ') continue;
    pair += digit;
    if (pair.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(pair, nullptr, 16));
    pair.clear();
  }
  return bytes;
}

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::map<std::string, std::string> snapshot(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    files[entry.path().filename().string()] =
        entry.is_regular_file() ? read_file(entry.path()) : "(no file)";
  }
  return files;
}

std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::function<std::size_t(std::span<std::uint8_t>)> reader_of(std::string_view content) {
  return [content, at = std::size_t{0}](std::span<std::uint8_t> to) mutable {
    const std::string_view part = content.substr(at, to.size());
    std::ranges::copy(part, to.begin());
    at += part.size();
    return part.size();
  };
}

EncodedSet encode(const fs::path& directory, std::string_view content, const EncodeCall& call) {
  Progress progress;
  auto read = reader_of(content);
  return encode_set(
      {.read = std::move(read),
       .directories = {directory},
       .code = make_code(call.spec, {call.options.packet_bytes, call.options.allow_non_mds}),
       .options = call.options,
       .replace = call.replace,
       .block_bytes = call.block_bytes,
       .inputs = call.inputs},
      progress);
}

fs::path shard_path(const fs::path& directory, const ShardHeader& header, std::uint32_t location) {
  return directory / shard_name(header.set, location, header.locations);
}

std::vector<std::uint32_t> locations_of(const std::vector<RebuiltShard>& rebuilt) {
  std::vector<std::uint32_t> locations;
  for (const RebuiltShard& shard : rebuilt) locations.push_back(shard.location);
  return locations;
}

ShardHeader small_header() {
  ShardHeader header;
  header.set = *set_id_of("000102030405060708090a0b0c0d0e0f");
  header.locations = 6;
  header.file_bytes = 150;
  header.stripe_bytes = 64;
  header.block_bytes = 16;
  header.last_block_bytes = 6;
  header.spec = "rs:k=4,m=2,w=8,poly=0x11d";
  return header;
}

std::vector<std::string> shard_names(const ShardHeader& header) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < header.locations; ++i) {
    names.push_back(shard_name(header.set, i, header.locations));
  }
  return names;
}

std::string later_header() {
  return from_hex(
      "89 58 4c 53 0d 0a 1a 0a 02 00 00 00 20 00 00 00 20 00 00 00 53 4c 58 89 "
      "52 2e db cb 9b 29 08 10");
}

ReadableSet::ReadableSet(std::vector<fs::path> paths, std::string_view digits,
                         const Options& options)
    : found(find_shards(paths)), opened(found, digits, options) {}

SetDamage ReadableSet::verify(std::size_t threads) const {
  Progress progress;
  return verify_set(opened, threads, progress);
}

SetDamage ReadableSet::check(std::size_t threads) const {
  Progress progress;
  return check_set(opened, threads, progress);
}

ReadableSet::Decoded ReadableSet::decode(std::size_t threads, const FileRange& range) const {
  Progress progress;
  Decoded result;
  result.damage = decode_set(
      opened, threads,
      [&](std::span<const std::uint8_t> bytes) { result.content += text_of(bytes); }, progress,
      range);
  return result;
}

std::string ReadableSet::bad_blocks(const SetDamage& damage) const {
  std::string sentence;
  for (const auto& [shard, blocks] : damage.bad_blocks) {
    if (!sentence.empty()) sentence += ", ";
    sentence += fmt::format("{}: {}", opened.set().shards[shard].header.location,
                            xorloom::to_string(blocks));
  }
  return sentence;
}

std::string decoded(std::vector<fs::path> paths, std::string_view digits) {
  return ReadableSet(std::move(paths), digits).decode().content;
}

RepairedSet repair(std::vector<fs::path> directories, const fs::path& to, const Options& options,
                   const std::string& digits) {
  Progress progress;
  return repair_set({.directories = std::move(directories),
                     .to = to,
                     .set_digits = digits,
                     .options = options,
                     .only_missing = false},
                    progress);
}

RepairedSet repair_missing(std::vector<fs::path> directories, const fs::path& to) {
  Progress progress;
  return repair_set({.directories = std::move(directories),
                     .to = to,
                     .set_digits = {},
                     .options = {},
                     .only_missing = true},
                    progress);
}

ShardImage::ShardImage(const fs::path& path) : bytes(read_file(path)), path_(path) {
  const std::vector<std::uint8_t> all = bytes_of(bytes);
  const std::size_t size = bytes_in_prefix(all);
  const HeaderReading reading = read_header(std::span(all).first(size));
  if (reading.kind != HeaderReading::Kind::kWhole) {
    throw std::runtime_error(path.string() + " is no shard: " + reading.why);
  }
  header = reading.header;
}

std::size_t ShardImage::offset(std::uint64_t block) const { return block_offset(header, block); }

std::string ShardImage::block(std::uint64_t block) const {
  return bytes.substr(offset(block), frame_bytes(header) + payload_bytes(header, block));
}

void ShardImage::set_block(std::uint64_t block, std::string_view text) {
  bytes.replace(offset(block), text.size(), text);
}

void ShardImage::damage(std::uint64_t block) {
  char& byte = bytes[offset(block) + frame_bytes(header) + payload_bytes(header, block) / 2];
  byte = static_cast<char>(byte ^ 0x10);
}

void ShardImage::seal(std::uint64_t block, const ShardHeader& as) {
  const std::vector<std::uint8_t> payload =
      bytes_of(this->block(block).substr(frame_bytes(header)));
  set_block(block, text_of(block_frame(as, block, payload)));
}

void ShardImage::set_first_header(const ShardHeader& to) {
  const std::string text = text_of(header_text(to));
  bytes.replace(0, text.size(), text);
}

void ShardImage::set_last_header(const ShardHeader& to) {
  const std::string text = text_of(header_text(to));
  bytes.replace(bytes.size() - text.size(), text.size(), text);
}

void ShardImage::save_as(const fs::path& path) const { write_file(path, bytes); }

void damage_blocks(const fs::path& directory, const ShardHeader& header, std::uint32_t location,
                   const std::vector<std::uint64_t>& blocks) {
  ShardImage image(shard_path(directory, header, location));
  for (const std::uint64_t block : blocks) image.damage(block);
  image.save();
}

SetScene::SetScene(std::size_t file_bytes, const EncodeCall& call, std::uint64_t seed)
    : content(random_text(file_bytes, seed)),
      header(encode(d, content, call).header),
      whole(snapshot(d)) {}

fs::path SetScene::path(std::uint32_t location) const { return shard_path(d, header, location); }

std::string SetScene::name(std::uint32_t location) const {
  return shard_name(header.set, location, header.locations);
}

void SetScene::lose(std::uint32_t location) const { fs::remove(path(location)); }

void SetScene::damage(std::uint32_t location, const std::vector<std::uint64_t>& blocks) const {
  damage_blocks(d, header, location, blocks);
}

}  // namespace xorloom::test
