#include "bench/lab/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

/// Logarithms of a field of 256 elements, and its powers.
struct LogTables {
  explicit LogTables(const Field& field) {
    // Elements from 2 on are tried until the powers of one are all elements but zero.
    for (Field::Symbol base = 2; base < 256; ++base) {
      Field::Symbol power = 1;
      int order = 0;
      do {
        exp[static_cast<std::size_t>(order)] = static_cast<std::uint8_t>(power);
        log[power] = static_cast<std::uint8_t>(order++);
        power = field.multiply(power, base);
      } while (power != 1);
      if (order == 255) return;
    }
  }

  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    if (a == 0 || b == 0) return 0;
    return exp[static_cast<std::size_t>(log[a] + log[b]) % 255];
  }

  std::array<std::uint8_t, 256> log{};
  std::array<std::uint8_t, 255> exp{};
};

/// The sequential baseline of papers: byte after byte and row after row, a product of each chunk by
/// tables of logarithms and powers.
std::vector<PeerWay> naive_ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes,
                                Isa) {
  if (code.w != 8 || code.subchunks != 1) return {};
  std::vector<std::vector<std::uint8_t>> rows;
  for (std::size_t r = 0; r < map.coefficients.rows(); ++r) {
    const auto row = map.coefficients.row(r);
    rows.emplace_back();
    for (const Field::Symbol symbol : row) rows[r].push_back(static_cast<std::uint8_t>(symbol));
  }
  const bool words = code.arrangement == Arrangement::kWord;
  return {{words ? "words" : "our matrix on words", words,
           [=, tables = LogTables(code.field), inputs = map.inputs,
            outputs = map.outputs](std::uint8_t* const* chunks) {
             for (std::size_t i = 0; i < chunk_bytes; ++i) {
               for (std::size_t r = 0; r < rows.size(); ++r) {
                 std::uint8_t sum = 0;
                 for (std::size_t c = 0; c < inputs.size(); ++c) {
                   sum = static_cast<std::uint8_t>(
                       sum ^ tables.multiply(rows[r][c], chunks[inputs[c]][i]));
                 }
                 chunks[outputs[r]][i] = sum;
               }
             }
           }}};
}

const Peer kNaivePeer{
    "naive",    "a textbook's loop",
    "",         "tables of logarithms and powers, one product after the other",
    naive_ways, [](const Code&, std::size_t, Isa) { return std::optional<PeerDecoder>(); }};

struct Known {
  std::string name;
  const char* library;
  const Peer* peer;        ///< null if this program was built without it
  bool by_default = true;  ///< false: only if it is named
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
    {"gf-complete", "GF-Complete", &kGfCompletePeer, false},
#else
    {"jerasure", "libJerasure", nullptr},
    {"gf-complete", "GF-Complete", nullptr, false},
#endif
#if defined(XORLOOM_HAS_LEOPARD)
    {"leopard", "Leopard", &kLeopardPeer},
#else
    {"leopard", "Leopard", nullptr},
#endif
    {"naive", "the textbook's loop", &kNaivePeer, false},
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
    if (known.peer != nullptr && known.by_default) peers.push_back(*known.peer);
  }
  return peers;
}

std::string library_name(const Peer& peer) {
  return *peer.version == '\0' ? peer.library : fmt::format("{} {}", peer.library, peer.version);
}

}  // namespace xorloom::cli
