#include "runtime/sets/convert_set.hpp"

#include <utility>

#include "runtime/files/pipeline.hpp"
#include "runtime/sets/convert_in_place.hpp"
#include "runtime/sets/set_input.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/opened_set.hpp"

namespace xorloom {

Options reading_options(const SetConversion& conversion) {
  Options options = codec_options(conversion.options);
  options.packet_bytes = 0;  // packets are those of the new code
  options.atlas.clear();
  return options;
}

ConvertedSet convert_set(const SetConversion& conversion, Progress& progress) {
  ConvertedSet in_place;
  std::optional<std::string> why_whole = convert_in_place(conversion, in_place, progress);
  if (!why_whole) return in_place;
  ConvertedSet result;
  result.why_whole = std::move(*why_whole);
  result.found = find_shards(conversion.directories);
  const OpenedSet set(result.found, conversion.set_digits, reading_options(conversion),
                      conversion.bounds);
  result.before = &set.set();
  check_stripe(conversion.bounds, set.code(), set.header().block_bytes);
  SetInput input(result.found, set, result.damage);
  progress.begin("encoding", set.header().file_bytes);
  result.encoded =
      encode_set({.read = [&](std::span<std::uint8_t> bytes) { return input.read(bytes); },
                  .directories = conversion.directories,
                  .code = conversion.code,
                  .options = conversion.options,
                  .converted = set.header(),
                  .info = remembered(set.header()),
                  .holds_files = holds_files(set.header()),
                  .permissions = permissions_of(set.set())},
                 progress);
  return result;
}

}  // namespace xorloom
