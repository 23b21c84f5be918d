#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {

// Other erasure-coding libraries, to be timed beside Xorloom. A program has those that were
// installed when it was built, and a textbook's loop.

/// A way in which a library computes a map, ready to run on the chunks of a stripe.
struct PeerWay {
  std::string how;       ///< "words", "packets of 2048 bytes"
  bool gives_our_bytes;  ///< its output equals that of our plans
  std::function<void(std::uint8_t* const* chunks)> run;
};

/// Decoder of lost data chunks, given by location. Each call may have other losses.
struct PeerDecoder {
  bool gives_our_bytes;  ///< decodes the redundancy that our plans write
  std::function<void(std::uint8_t* const* chunks, std::span<const std::size_t> lost)> run;
};

struct Peer {
  const char* name;     ///< name for --against
  const char* library;  ///< "libisal"
  const char* version;  ///< version at build time; "" if its headers have none
  const char* about;    ///< the functions that are timed
  /// Ways worth timing for `map` on chunks of `chunk_bytes`; empty if the library cannot compute
  /// it. Their order depends only on the code and the size. With `isa` kAvx2 a library that has
  /// functions for AVX2 alone takes these, else what it takes for the machine.
  std::vector<PeerWay> (*ways)(const Code& code, const LinearMap& map, std::size_t chunk_bytes,
                               Isa isa);
  /// Decoder for losses that are new to the library; nullopt if it cannot decode the code.
  std::optional<PeerDecoder> (*decoder)(const Code& code, std::size_t chunk_bytes, Isa isa);
};

/// Names that --against takes.
const std::vector<std::string>& peer_names();

/// The peers of `names`. Errors: throws kInvalidArgument for one that this program was built
/// without.
std::vector<Peer> peers_named(const std::vector<std::string>& names);

/// The libraries that this program was built with, without those that run only if they are named.
std::vector<Peer> built_peers();

/// Name with version: "libisal 2.30.0".
std::string library_name(const Peer& peer);

// Each is defined only if its library was found.
extern const Peer kGfCompletePeer;
extern const Peer kIsalPeer;
extern const Peer kJerasurePeer;
extern const Peer kLeopardPeer;

}  // namespace xorloom::cli
