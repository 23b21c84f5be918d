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

namespace xorloom::cli {

// Other libraries that do what Xorloom does, to be timed beside it. A program has the libraries that were
// installed when it was built.

/// One way a library computes cells from cells, ready to run on the chunks of a stripe.
struct PeerWay {
  std::string how;       ///< "words", "packets of 2048 bytes"
  bool gives_our_bytes;  ///< it writes the chunks that our plans write
  std::function<void(std::uint8_t* const* chunks)> run;
};

/// Rebuilds lost chunks of data, given by location. Each call may have other losses.
struct PeerDecoder {
  bool gives_our_bytes;  ///< from redundancy that our plans wrote
  std::function<void(std::uint8_t* const* chunks, std::span<const std::size_t> lost)> run;
};

struct Peer {
  const char* name;     ///< as --against has it
  const char* library;  ///< "libisal"
  const char* version;  ///< that it was built with; "" if its headers do not say
  const char* about;    ///< its functions that are timed
  /// The ways worth a try for a map of the code on chunks of that size, in an order that depends on
  /// code and size alone; none if the library cannot compute it.
  std::vector<PeerWay> (*ways)(const Code& code, const LinearMap& map, std::size_t chunk_bytes);
  /// Decodes losses that are new to the library; nullopt if it cannot decode the code.
  std::optional<PeerDecoder> (*decoder)(const Code& code, std::size_t chunk_bytes);
};

/// The names --against knows.
const std::vector<std::string>& peer_names();

/// The peers of `names`. Errors: throws kInvalidArgument for one this program was built
/// without.
std::vector<Peer> peers_named(const std::vector<std::string>& names);

/// The peers that this program was built with.
std::vector<Peer> built_peers();

/// "libisal 2.30.0".
std::string library_name(const Peer& peer);

// Each is defined only if its library was found.
extern const Peer kIsalPeer;
extern const Peer kJerasurePeer;
extern const Peer kLeopardPeer;

}  // namespace xorloom::cli
