#include "runtime/protection/source_reader.hpp"

#include "runtime/files/checksum.hpp"

namespace xorloom {

const OpenFile& SourceReader::open(std::uint32_t source) {
  if (opened_ != source) file_ = OpenFile(sources_[source].path);
  opened_ = source;
  return file_;
}

bool SourceReader::read(const SegmentPlace& place, std::span<std::uint8_t> bytes,
                        std::uint64_t strong) {
  const OpenFile& file = open(place.source);
  error_ = file.error();
  if (!file.is_open() || place.offset + bytes.size() > file.bytes()) return false;
  error_ = file.read_at(place.offset, bytes);
  return error_ == 0 && checksum(bytes) == strong;
}

}  // namespace xorloom
