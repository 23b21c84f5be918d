// Times plugins for Ceph in one process, in turns:
//   xorloom_ceph_compare THEIRS OURS NAME PROFILE BYTES... [--deny-written-pages] [--new-losses]
// THEIRS and OURS are shared libraries that are loaded as plugin NAME, PROFILE is key=value,…, and
// BYTES those of a chunk. It prints GB/s of data: the median of rounds that each take some
// milliseconds. With --new-losses it takes one size, and decodes each set of losses once: the
// median of these calls.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "integrations/ceph/host/host.hpp"
#include "tests/support/denied.hpp"

namespace xorloom::ceph_plugin {
namespace {

using Clock = std::chrono::steady_clock;
using Code = ceph::ErasureCodeInterface;
using Chunks = std::map<int, ceph::Buffers>;

constexpr int kRounds = 15;
constexpr double kRoundSeconds = 0.01;

void expect(int status, std::string_view what) {
  if (status != 0) throw std::runtime_error(fmt::format("{} failed with {}", what, status));
}

ceph::ErasureCodeProfile profile_of(const std::string& text) {
  ceph::ErasureCodeProfile profile;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string pair = text.substr(at, end - at);
    profile[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
    at = end + 1;
  }
  return profile;
}

std::string bytes_of(ceph::Buffers buffers) {
  return std::string(buffers.c_str(), buffers.length());
}

/// Stripes that are worked on in turns, so that buffers are as new as a daemon's.
struct Stripe {
  ceph::Buffers data;
  Chunks chunks;
};

struct Work {
  Code* code;
  std::vector<Stripe>* stripes;
  std::set<int> all;
  std::set<int> lost;          ///< lost chunks; empty: encode
  std::vector<Chunks> left{};  ///< the other chunks of each stripe
  std::vector<double> seconds{};

  void run_once(std::size_t number) const {
    const std::size_t which = number % stripes->size();
    Chunks made;
    if (lost.empty()) {
      expect(code->encode(all, (*stripes)[which].data, &made), "encode");
      return;
    }
    const auto bytes = static_cast<int>(left[which].begin()->second.length());
    expect(code->decode(lost, left[which], &made, bytes), "decode");
  }

  void run_round(std::size_t times) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < times; ++i) run_once(i);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count() /
                      static_cast<double>(times));
  }

  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
};

/// GB/s of both, in turns.
std::array<double, 2> compare(std::array<Work, 2> works, double data_bytes) {
  const auto start = Clock::now();
  std::size_t times = 0;
  while (std::chrono::duration<double>(Clock::now() - start).count() < kRoundSeconds)
    works[0].run_once(times++);
  for (int round = 0; round < kRounds; ++round) {
    for (Work& work : works) work.run_round(times);
  }
  return {data_bytes / works[0].median() / 1e9, data_bytes / works[1].median() / 1e9};
}

/// GB/s of both over all sets of `lost` chunks, each decoded once by each.
std::array<double, 2> compare_new(std::array<Code*, 2> codes, const std::vector<Stripe>& stripes,
                                  unsigned int lost, double data_bytes) {
  const unsigned int n = codes[0]->get_chunk_count();
  std::vector<std::set<int>> sets;
  std::vector<bool> is_lost(n);
  std::fill_n(is_lost.begin(), lost, true);
  do {
    std::set<int>& set = sets.emplace_back();
    for (unsigned int i = 0; i < n; ++i) {
      if (is_lost[i]) set.insert(static_cast<int>(i));
    }
  } while (std::prev_permutation(is_lost.begin(), is_lost.end()));
  std::shuffle(sets.begin(), sets.end(), std::mt19937{1});
  std::array<std::vector<double>, 2> seconds;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Stripe& stripe = stripes[i % stripes.size()];
    Chunks left = stripe.chunks;
    for (const int position : sets[i]) left.erase(position);
    for (const std::size_t which : {i % 2, (i + 1) % 2}) {
      Chunks made;
      const auto start = Clock::now();
      const int status = codes[which]->decode(sets[i], left, &made,
                                              static_cast<int>(left.begin()->second.length()));
      seconds[which].push_back(std::chrono::duration<double>(Clock::now() - start).count());
      expect(status, "decode");
    }
  }
  std::array<double, 2> rates;
  for (std::size_t which = 0; which < 2; ++which) {
    std::sort(seconds[which].begin(), seconds[which].end());
    rates[which] = data_bytes / seconds[which][sets.size() / 2] / 1e9;
  }
  return rates;
}

void print_row(std::array<Code*, 2> codes, unsigned int chunk_bytes, bool has_new_losses) {
  const unsigned int k = codes[0]->get_data_chunk_count();
  const unsigned int n = codes[0]->get_chunk_count();
  if (codes[0]->get_chunk_size(k * chunk_bytes) != chunk_bytes ||
      codes[1]->get_chunk_size(k * chunk_bytes) != chunk_bytes) {
    throw std::runtime_error(fmt::format("chunks of {} bytes are not possible", chunk_bytes));
  }
  std::set<int> all;
  for (unsigned int i = 0; i < n; ++i) all.insert(static_cast<int>(i));
  std::mt19937_64 random{1};
  std::vector<Stripe> stripes(
      std::max<std::size_t>(1, std::min<std::size_t>(8, (std::size_t{1} << 22) / chunk_bytes / k)));
  for (Stripe& stripe : stripes) {
    ceph::buffer::ptr data(ceph::buffer::create_aligned(k * chunk_bytes, 4096));
    for (unsigned int i = 0; i < data.length(); i += 8) {
      const std::uint64_t value = random();
      std::memcpy(data.c_str() + i, &value, 8);
    }
    stripe.data.push_back(std::move(data));
    expect(codes[0]->encode(all, stripe.data, &stripe.chunks), "encode");
    Chunks ours;
    expect(codes[1]->encode(all, stripe.data, &ours), "encode");
    for (const int i : all) {
      if (bytes_of(ours[i]) != bytes_of(stripe.chunks[i]))
        throw std::runtime_error(fmt::format("chunk {} differs", i));
    }
  }
  const double data_bytes = static_cast<double>(k) * chunk_bytes;
  std::string row = fmt::format("{:>8}", chunk_bytes);
  for (const unsigned int lost : {0U, 1U, 2U, n - k}) {
    if (lost > n - k) continue;
    std::set<int> positions;
    for (unsigned int i = 0; i < lost; ++i) positions.insert(static_cast<int>(i));
    std::vector<Chunks> left;
    for (const Stripe& stripe : stripes) {
      left.push_back(stripe.chunks);
      for (const int position : positions) left.back().erase(position);
    }
    const auto rates = has_new_losses && lost > 0
                           ? compare_new(codes, stripes, lost, data_bytes)
                           : compare({Work{codes[0], &stripes, all, positions, left},
                                      Work{codes[1], &stripes, all, positions, left}},
                                     data_bytes);
    row += fmt::format("  {:5.1f} {:5.1f} {:5.2f}", rates[0], rates[1], rates[1] / rates[0]);
  }
  fmt::print("{}\n", row);
}

int run(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  bool has_new_losses = false;
  for (const std::string& word : arguments) {
    if (word == "--new-losses") {
      has_new_losses = true;
    } else if (word != "--deny-written-pages") {
      words.push_back(word);
    } else if (!deny_execution_of_written_pages()) {
      throw std::runtime_error("this kernel cannot deny the execution of written pages");
    }
  }
  if (words.size() < 5 || (has_new_losses && words.size() > 5)) {
    throw std::runtime_error(
        "THEIRS OURS NAME PROFILE BYTES... [--deny-written-pages] [--new-losses]; the last with "
        "one "
        "BYTES");
  }
  std::string refusal;
  const auto theirs = loaded_code(words[0], words[2], profile_of(words[3]), refusal);
  if (!theirs) throw std::runtime_error(words[0] + ": " + refusal);
  const auto ours = loaded_code(words[1], words[2], profile_of(words[3]), refusal);
  if (!ours) throw std::runtime_error(words[1] + ": " + refusal);
  fmt::print("plugin={},{}: GB/s of data, theirs, ours, and ours over theirs\n", words[2],
             words[3]);
  fmt::print("{:>8}  {:<17}  {:<17}  {:<17}  {:<17}\n", "bytes", "encode", "one lost", "two lost",
             "all m lost");
  for (std::size_t i = 4; i < words.size(); ++i) {
    print_row({theirs.get(), ours.get()}, static_cast<unsigned int>(std::stoul(words[i])),
              has_new_losses);
  }
  return 0;
}

}  // namespace
}  // namespace xorloom::ceph_plugin

int main(int count, char** words) try {
  return xorloom::ceph_plugin::run({words + 1, words + count});
} catch (const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", words[0], error.what());
  return 1;
}
