#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "integrations/ceph/host/host.hpp"

// Pools of each kind, and codecs of the plugin for Ceph, loaded as a daemon loads it.

namespace xorloom::ceph_plugin {

using Chunks = std::map<int, ceph::Buffers>;
using Code = ceph::ErasureCodeInterface;

inline ceph::ErasureCodeInterfaceRef code_of(const std::string& name,
                                             const ceph::ErasureCodeProfile& profile) {
  std::string refusal;
  auto code = loaded_code(XORLOOM_CEPH_PLUGIN, name, profile, refusal);
  REQUIRE_MESSAGE(code != nullptr, refusal);
  return code;
}

inline std::string refusal_of(const std::string& name, const ceph::ErasureCodeProfile& profile) {
  std::string refusal;
  CHECK(loaded_code(XORLOOM_CEPH_PLUGIN, name, profile, refusal) == nullptr);
  return refusal;
}

inline std::string text_of(ceph::Buffers buffers) { return {buffers.c_str(), buffers.length()}; }

inline std::string random_text(std::size_t bytes, unsigned int seed = 7) {
  std::mt19937 random{seed};
  std::string text(bytes, '\0');
  for (char& byte : text) byte = static_cast<char>(random());
  return text;
}

/// The text in buffers of a few bytes each; piece = 0: in one.
inline ceph::Buffers buffers_of(const std::string& text, std::size_t piece = 0) {
  ceph::Buffers buffers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t some = std::min(piece == 0 ? text.size() : piece, text.size() - at);
    buffers.push_back(ceph::buffer::copy(text.data() + at, static_cast<unsigned int>(some)));
    at += some;
  }
  return buffers;
}

inline std::set<int> all_of(const Code& code) {
  std::set<int> all;
  for (unsigned int i = 0; i < code.get_chunk_count(); ++i) all.insert(static_cast<int>(i));
  return all;
}

inline Chunks encoded(Code& code, const ceph::Buffers& data) {
  Chunks chunks;
  REQUIRE(code.encode(all_of(code), data, &chunks) == 0);
  REQUIRE(chunks.size() == code.get_chunk_count());
  return chunks;
}

struct Pool {
  std::string plugin;
  ceph::ErasureCodeProfile profile;
  std::size_t losses;  ///< any losses of this number are survived
};
inline const std::vector<Pool>& pools() {
  static const std::vector<Pool> all{
      {"isa", {{"k", "4"}, {"m", "2"}}, 2},
      {"isa", {{"technique", "cauchy"}, {"k", "5"}, {"m", "3"}}, 3},
      {"jerasure", {{"technique", "cauchy_good"}, {"k", "4"}, {"m", "2"}, {"packetsize", "64"}}, 2},
      {"jerasure", {{"technique", "reed_sol_r6_op"}, {"k", "4"}}, 2},
      {"shec", {{"k", "6"}, {"m", "3"}, {"c", "2"}}, 2},
      {"lrc", {{"k", "4"}, {"m", "2"}, {"l", "3"}}, 2},
      {"clay", {{"k", "4"}, {"m", "2"}}, 2},
      {"xorloom", {}, 2},
      {"xorloom", {{"technique", "cauchy"}, {"k", "6"}, {"m", "3"}}, 3},
      {"xorloom", {{"code", "leopard:k=10,m=4"}}, 4},
      {"xorloom", {{"code", "rdp:k=4,p=5"}}, 2},
      {"xorloom", {{"code", "zigzag:k=3,r=2"}}, 2},
  };
  return all;
}

}  // namespace xorloom::ceph_plugin
