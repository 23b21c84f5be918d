#include "bench/lab/peers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

struct Known {
  std::string name;
  const char* library;
  const Peer* peer;  ///< null if this program was built without it
};

const std::vector<Known>& known_peers() {
  static const std::vector<Known> peers = {
#if defined(XORLOOM_HAS_ISAL)
    {"isal", "libisal", &kIsalPeer},
#else
    {"isal", "libisal", nullptr},
#endif
#if defined(XORLOOM_HAS_JERASURE)
    {"jerasure", "libJerasure", &kJerasurePeer},
#else
    {"jerasure", "libJerasure", nullptr},
#endif
#if defined(XORLOOM_HAS_LEOPARD)
    {"leopard", "Leopard", &kLeopardPeer},
#else
    {"leopard", "Leopard", nullptr},
#endif
  };
  return peers;
}

}  // namespace

const std::vector<std::string>& peer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Known& known : known_peers()) all.push_back(known.name);
    return all;
  }();
  return names;
}

std::vector<Peer> peers_named(const std::vector<std::string>& names) {
  std::vector<Peer> peers;
  for (const std::string& name : names) {
    const auto known = std::ranges::find(known_peers(), name, &Known::name);
    if (known->peer == nullptr) {
      fail(
          Status::kInvalidArgument,
          fmt::format("--against = '{}': this program was built without {}", name, known->library));
    }
    peers.push_back(*known->peer);
  }
  return peers;
}

std::vector<Peer> built_peers() {
  std::vector<Peer> peers;
  for (const Known& known : known_peers()) {
    if (known.peer != nullptr) peers.push_back(*known.peer);
  }
  return peers;
}

std::string library_name(const Peer& peer) {
  return *peer.version == '\0' ? peer.library : fmt::format("{} {}", peer.library, peer.version);
}

}  // namespace xorloom::cli
