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

/// A stripe whose bytes are being replaced: one slot of a pipeline.
struct StripeBeingChanged {
  StripeBeingChanged(const Code& code, std::size_t block_bytes) : buffer(code, block_bytes) {}

  StripeBuffer buffer;
  std::unique_ptr<StripeBuffer> other;  ///< receives chunks that are computed and not used
  std::uint64_t stripe = 0;
  std::size_t begin = 0;                   ///< offset of the replaced bytes in the stripe
  std::vector<std::uint8_t> bytes;         ///< new bytes from `begin` on
  std::size_t count = 0;                   ///< if it is encoded: bytes of the file in the stripe
  std::vector<std::size_t> written;        ///< locations whose new blocks are in the buffer
  std::map<std::size_t, Frame> restamped;  ///< new frames of locations whose payloads stay
  std::uint64_t bytes_read = 0;
};

/// Computes the new blocks of stripes. Immutable; many threads may use it.
class StripeWriter {
 public:
  /// Buffers: keeps a reference to the transaction.
  StripeWriter(const SetTransaction& transaction, const Options& options, WritePolicy policy);

  /// Replaces the bytes of a stripe from `slot.begin` on by `slot.bytes`; its length stays.
  ///
  /// Errors: throws kDamaged if the stripe cannot be recovered, kInternal if a plan cannot be run.
  void replace(StripeBeingChanged& slot) const;

  /// Reads the first `count` bytes of a stripe, as it is, into the buffer's user_bytes().
  ///
  /// Errors: as for replace().
  void read(StripeBeingChanged& slot, std::size_t count) const;

  /// Encodes a stripe of `count` bytes, which are in the buffer's user_bytes(). Precondition: the
  /// buffer has the chunk size of that stripe.
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
