#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "equations/reads/write_choice.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/sets/set_transaction.hpp"
#include "runtime/shards/stripe_buffer.hpp"
#include "runtime/shards/stripe_reading.hpp"

namespace xorloom {

/// A stripe while bytes of it are replaced: the next of a pipeline's slots.
struct StripeBeingChanged {
  StripeBeingChanged(const Code& code, std::size_t block_bytes) : buffer(code, block_bytes) {}

  StripeBuffer buffer;
  std::unique_ptr<StripeBuffer> other;  ///< chunks that are computed and not used
  std::uint64_t stripe = 0;
  std::size_t begin = 0;                   ///< of the bytes that are replaced, among the stripe's
  std::vector<std::uint8_t> bytes;         ///< what replaces them
  std::size_t count = 0;                   ///< bytes of the file that it has, where it is encoded
  std::vector<std::size_t> written;        ///< locations whose new blocks are in the buffer
  std::map<std::size_t, Frame> restamped;  ///< new frames of locations whose payloads stay
  std::uint64_t bytes_read = 0;
};

/// Computes what the blocks of stripes become. Immutable; many threads may use it.
class StripeWriter {
 public:
  /// Buffers: keeps a reference to the transaction.
  StripeWriter(const SetTransaction& transaction, const Options& options, WritePolicy policy);

  /// Replaces some bytes of a stripe whose length stays.
  ///
  /// Errors: throws kDamaged if the stripe cannot be recovered, kInternal if a plan cannot be run.
  void replace(StripeBeingChanged& slot) const;

  /// Brings the first bytes of a stripe, as it is, into the buffer's user_bytes().
  ///
  /// Errors: as above.
  void read(StripeBeingChanged& slot, std::size_t count) const;

  /// Encodes a stripe of that many bytes, which are in the buffer's user_bytes() if it is given the
  /// stripe's chunks.
  void encode(StripeBeingChanged& slot, std::size_t count) const;

 private:
  StripeReading load(StripeBeingChanged& slot, const std::vector<std::size_t>& wanted) const;
  bool is_mixed(const std::vector<Frame>& frames) const;
  void add_difference(StripeBeingChanged& slot, const WriteChoice& choice,
                      const std::vector<std::size_t>& touched,
                      const std::vector<UserPart>& parts) const;
  void encode_again(StripeBeingChanged& slot, const WriteChoice& choice) const;
  std::vector<std::uint8_t*> chunks_for(StripeBeingChanged& slot,
                                        const std::vector<std::size_t>& kept) const;

  const SetTransaction* transaction_;
  Codec codec_;
  WriteChooser chooser_;
  WritePolicy policy_;
  std::vector<bool> has_shard_;
};

}  // namespace xorloom
