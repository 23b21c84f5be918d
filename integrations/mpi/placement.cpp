#include "integrations/mpi/placement.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

namespace xorloom::mpi {
namespace {

/// "HOST DOMAIN" per line.
std::map<std::string, std::string> read_host_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(Status::kIo, "cannot read the host file " + path);
  std::map<std::string, std::string> domains;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string host;
    std::string domain;
    std::string more;
    if (!(words >> host)) continue;
    if (!(words >> domain) || words >> more) {
      throw Error(Status::kParse, path + ":" + std::to_string(number) + ": '" + line +
                                      "' is not a host and a domain");
    }
    if (!domains.emplace(host, domain).second) {
      throw Error(Status::kParse,
                  path + ":" + std::to_string(number) + ": the host " + host + " comes again");
    }
  }
  return domains;
}

std::string own_host(const Options& options) {
  if (!options.host.empty()) return options.host;
  std::string name(MPI_MAX_PROCESSOR_NAME, '\0');
  int size = 0;
  MPI_Get_processor_name(name.data(), &size);
  name.resize(static_cast<std::size_t>(size));
  return name;
}

std::string own_domain(const Options& options) {
  const std::string host = own_host(options);
  if (options.domains == Domains::kHosts) return host;
  const auto domains = read_host_file(options.host_file);
  const auto found = domains.find(host);
  if (found == domains.end()) {
    throw Error(Status::kInvalidArgument,
                "the host file " + options.host_file + " does not name the host " + host);
  }
  return found->second;
}

/// A number that a spec gives a key.
std::optional<std::size_t> value_of(std::string_view spec, std::string_view key) {
  const std::string text(spec.substr(std::min(spec.size(), spec.find(':') + 1)));
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    if (!part.starts_with(std::string(key) + '=')) continue;
    std::size_t value = 0;
    const char* const from = part.data() + key.size() + 1;
    const auto [end, error] = std::from_chars(from, part.data() + part.size(), value);
    if (error == std::errc{} && end == part.data() + part.size()) return value;
  }
  return std::nullopt;
}

std::size_t losses_by_trying(const Codec& codec) {
  const std::size_t n = codec.info().locations;
  for (std::size_t i = 0; i < n; ++i) {
    if (!can_lose(codec, {i})) return 0;
  }
  constexpr std::size_t kMostTried = 64;
  if (n > kMostTried) return 1;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (!can_lose(codec, {i, j})) return 1;
    }
  }
  return 2;
}

/// Number of parts (ranks or domains) that may be lost if `chunks` chunks may be.
std::size_t parts_survived(const std::vector<std::size_t>& most_chunks, std::size_t chunks) {
  return static_cast<std::size_t>(
      std::ranges::find_if(most_chunks, [&](std::size_t lost) { return lost > chunks; }) -
      most_chunks.begin());
}

}  // namespace

Placement::Placement(std::vector<int> domains, std::size_t locations)
    : domains_(std::move(domains)), ranks_(domains_.size(), std::vector<int>(locations)) {
  const std::set<int> different(domains_.begin(), domains_.end());
  if (different.size() != domains_.size()) {
    place_by_domain(locations);
    return;
  }
  for (std::size_t owner = 0; owner < ranks_.size(); ++owner) {
    for (std::size_t i = 0; i < locations; ++i) {
      ranks_[owner][i] = static_cast<int>((owner + i) % ranks_.size());
    }
  }
}

void Placement::place_by_domain(std::size_t locations) {
  const std::size_t ranks = domains_.size();
  std::vector<std::size_t> load(ranks);
  const auto last = static_cast<std::size_t>(*std::ranges::max_element(domains_));
  for (std::size_t owner = 0; owner < ranks; ++owner) {
    std::vector<std::size_t> in_domain(last + 1);
    std::vector<std::size_t> on_rank(ranks);
    for (std::size_t i = 0; i < locations; ++i) {
      const auto order = [&](std::size_t distance) {
        const std::size_t rank = (owner + distance) % ranks;
        return std::tuple(in_domain[static_cast<std::size_t>(domains_[rank])], on_rank[rank],
                          load[rank], distance);
      };
      std::size_t best = 0;
      for (std::size_t distance = 1; distance < ranks; ++distance) {
        if (order(distance) < order(best)) best = distance;
      }
      const std::size_t rank = (owner + best) % ranks;
      ranks_[owner][i] = static_cast<int>(rank);
      ++in_domain[static_cast<std::size_t>(domains_[rank])];
      ++on_rank[rank];
      ++load[rank];
    }
  }
}

std::vector<std::size_t> Placement::most_chunks(const std::vector<int>& part_of_rank) const {
  std::vector<std::size_t> most;
  for (const std::vector<int>& of_set : ranks_) {
    std::map<int, std::size_t> in_part;
    for (const int rank : of_set) ++in_part[part_of_rank[static_cast<std::size_t>(rank)]];
    std::vector<std::size_t> counts;
    for (const auto& [part, count] : in_part) counts.push_back(count);
    std::ranges::sort(counts, std::greater<>());
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    // Past the parts that hold any, further losses add nothing.
    const std::size_t all = counts.empty() ? 0 : counts.back();
    const std::size_t length = std::max(most.size(), counts.size());
    counts.resize(length, all);
    most.resize(length, most.empty() ? 0 : most.back());
    for (std::size_t t = 0; t < length; ++t) most[t] = std::max(most[t], counts[t]);
  }
  return most;
}

std::vector<std::size_t> Placement::most_chunks_on_ranks() const {
  std::vector<int> self(ranks_.size());
  std::iota(self.begin(), self.end(), 0);
  return most_chunks(self);
}

std::vector<std::size_t> Placement::most_chunks_in_domains() const { return most_chunks(domains_); }

std::vector<int> domains_of(const Communicator& comm, const Options& options) {
  std::vector<int> numbers(static_cast<std::size_t>(comm.size()));
  std::iota(numbers.begin(), numbers.end(), 0);
  if (options.domains == Domains::kRanks) return numbers;
  std::string own;
  agree_on(comm, [&] { own = own_domain(options); });
  const auto all =
      all_gather(comm, {reinterpret_cast<const std::uint8_t*>(own.data()), own.size()});
  std::map<std::string, int> number_of;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::string domain(all[rank].begin(), all[rank].end());
    numbers[rank] = number_of.emplace(domain, static_cast<int>(number_of.size())).first->second;
  }
  return numbers;
}

bool can_lose(const Codec& codec, const std::vector<std::size_t>& lost) {
  try {
    (void)codec.decoding(lost);
    return true;
  } catch (const Error& error) {
    if (error.kind() != Status::kDamaged) throw;
    return false;
  }
}

std::size_t promised_losses(const Codec& codec) {
  const Info info = codec.info();
  const std::string_view family = std::string_view(info.spec).substr(0, info.spec.find(':'));
  if (family == "shec") return value_of(info.spec, "c").value_or(0);
  if (family == "hamming") return 2;
  if (family == "hover" || family == "file") return losses_by_trying(codec);
  return info.m;
}

Survival survival_of(const Codec& codec, const Placement& placement) {
  Survival survival;
  survival.chunks = promised_losses(codec);
  const std::vector<std::size_t> on_ranks = placement.most_chunks_on_ranks();
  survival.most_per_rank = on_ranks.empty() ? 0 : on_ranks.front();
  survival.ranks = parts_survived(on_ranks, survival.chunks);
  survival.domains = parts_survived(placement.most_chunks_in_domains(), survival.chunks);
  return survival;
}

}  // namespace xorloom::mpi
