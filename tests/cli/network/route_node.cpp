// A node of a repair that runs: it reads its chunk slice by slice, computes its part, adds what its
// children send and sends the sum to its parent. scripts/network-trial and a test run it, to hold
// the routes of repair-plan against a network.
//
//   route_node make SPEC CHUNK_BYTES DIR        writes an encoded stripe, a file per location
//   route_node run PLAN SHAPE NODE HOSTS DIR    takes part in a route of a plan in JSON
//   route_node receive ADDRESS BYTES            prints at how many bytes per second they come
//   route_node send ADDRESS BYTES
//
// HOSTS has a line "NODE ADDRESS" per node. An address is 10.0.0.1:7000, or the path of a socket.
// The new node compares what it rebuilds with the file of the lost chunk, and prints the seconds
// from its first request to its last slice.

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "codes/text/json.hpp"
#include "xorloom/split_repair.hpp"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

class Socket {
 public:
  explicit Socket(int number) : number_(number) {
    if (number_ < 0) give_up("no socket");
  }
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }

  void send(std::span<const std::uint8_t> bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(number_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) give_up("cannot send");
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }
  void receive(std::span<std::uint8_t> bytes) const {
    while (!bytes.empty()) {
      const ssize_t received = ::recv(number_, bytes.data(), bytes.size(), 0);
      if (received <= 0) give_up("cannot receive");
      bytes = bytes.subspan(static_cast<std::size_t>(received));
    }
  }

 private:
  int number_;
};

struct Address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;

  explicit Address(const std::string& text) {
    if (text.starts_with('/')) {
      auto* path = reinterpret_cast<sockaddr_un*>(&storage);
      path->sun_family = AF_UNIX;
      if (text.size() >= sizeof path->sun_path) throw std::runtime_error("the path is too long");
      std::memcpy(path->sun_path, text.c_str(), text.size() + 1);
      bytes = sizeof *path;
      return;
    }
    const std::size_t colon = text.find(':');
    auto* host = reinterpret_cast<sockaddr_in*>(&storage);
    host->sin_family = AF_INET;
    if (colon == std::string::npos ||
        ::inet_pton(AF_INET, text.substr(0, colon).c_str(), &host->sin_addr) != 1) {
      throw std::runtime_error("no address: " + text);
    }
    host->sin_port = htons(static_cast<std::uint16_t>(std::stoi(text.substr(colon + 1))));
    bytes = sizeof *host;
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  Socket socket() const { return Socket(::socket(storage.ss_family, SOCK_STREAM, 0)); }
};

void send_at_once(const Socket& socket) {
  constexpr int kOn = 1;
  // Refused for sockets that are paths, which need it not.
  ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &kOn, sizeof kOn);
}

std::vector<Socket> accept_all(const std::string& text, std::size_t count) {
  std::vector<Socket> accepted;
  if (count == 0) return accepted;
  const Address address(text);
  const Socket listening = address.socket();
  constexpr int kOn = 1;
  ::setsockopt(listening.number(), SOL_SOCKET, SO_REUSEADDR, &kOn, sizeof kOn);
  if (::bind(listening.number(), address.get(), address.bytes) != 0) give_up("cannot bind " + text);
  if (::listen(listening.number(), 64) != 0) give_up("cannot listen");
  while (accepted.size() < count) {
    accepted.emplace_back(::accept(listening.number(), nullptr, nullptr));
    send_at_once(accepted.back());
  }
  return accepted;
}

/// Tries for some seconds, as the other node may not listen yet.
Socket connect_to(const std::string& text) {
  const Address address(text);
  for (int i = 0; i < 3000; ++i) {
    Socket socket = address.socket();
    if (::connect(socket.number(), address.get(), address.bytes) == 0) {
      send_at_once(socket);
      return socket;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  give_up("cannot connect to " + text);
}

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) give_up("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void make(const std::string& spec, std::size_t chunk_bytes, const std::string& directory) {
  const Codec codec(spec);
  chunk_bytes = codec.round_up(chunk_bytes);
  Chunks chunks(codec, chunk_bytes);
  std::mt19937_64 random(1);
  for (std::size_t l = 0; l < codec.info().locations; ++l) {
    std::generate_n(chunks.data()[l], chunk_bytes,
                    [&] { return static_cast<std::uint8_t>(random()); });
  }
  if (codec.encode(chunks.data(), chunk_bytes) != Status::kOk) give_up(last_error());
  for (std::size_t l = 0; l < codec.info().locations; ++l) {
    std::ofstream file(fmt::format("{}/{}", directory, l), std::ios::binary);
    file.write(reinterpret_cast<const char*>(chunks.data()[l]),
               static_cast<std::streamsize>(chunk_bytes));
  }
}

/// The task of this node in a plan.
struct Part {
  bool takes_part = false;
  std::string parent;  ///< empty for the new node
  std::size_t children = 0;
  std::size_t lost = 0;
  std::size_t slice_bytes = 0;
  std::vector<std::size_t> read_here;
  std::vector<std::size_t> unread;  ///< locations that no node reads
};

Part part_of(const Json& plan, const std::string& shape, const std::string& node) {
  Part part;
  part.lost = plan["lost"][0].whole();
  part.slice_bytes = plan["slice_bytes"].whole();
  const Json* route = nullptr;
  for (const Json& candidate : plan["routes"]) {
    if (candidate["shape"].text() == shape) route = &candidate;
  }
  if (route == nullptr || plan["lost"].size() != 1) {
    throw std::runtime_error("no route of that shape, or more than one lost chunk");
  }
  std::vector<bool> is_read(plan["placement"].size(), false);
  const auto mark = [&](const Json& locations, bool is_here) {
    for (const Json& location : locations) {
      is_read[location.whole()] = true;
      if (is_here) part.read_here.push_back(location.whole());
    }
  };
  part.takes_part = plan["new_node"].text() == node;
  mark((*route)["new_node_reads"], part.takes_part);
  for (const Json& helper : (*route)["helpers"]) {
    mark(helper["reads"], helper["node"].text() == node);
    if (helper["node"].text() == node) {
      part.takes_part = true;
      part.parent = helper["parent"].text();
    }
    if (helper["parent"].text() == node) ++part.children;
  }
  for (std::size_t l = 0; l < is_read.size(); ++l) {
    if (!is_read[l] && l != part.lost) part.unread.push_back(l);
  }
  return part;
}

void run(const Json& plan, const std::string& shape, const std::string& node,
         std::map<std::string, std::string>& hosts, const std::string& directory) {
  const Part part = part_of(plan, shape, node);
  if (!part.takes_part) return;
  const Codec codec(plan["code"].text());
  if (codec.info().units != 1) {
    throw std::runtime_error("the chunks of this code have parts, which do not lie in slices");
  }
  // The part of the sum that is computed here: that of a site with the locations read here.
  std::vector<std::vector<std::size_t>> sites(2);
  for (std::size_t l = 0; l < codec.info().locations; ++l) {
    const bool is_here = std::ranges::find(part.read_here, l) != part.read_here.end();
    sites[is_here ? 1 : 0].push_back(l);
  }
  std::vector<std::size_t> erased{part.lost};
  erased.insert(erased.end(), part.unread.begin(), part.unread.end());
  std::vector<Bytes> chunks(codec.info().locations);
  const Plan* own = nullptr;
  SplitRepair split;
  if (!part.read_here.empty()) {
    split = codec.split({.erased = erased, .wanted = {part.lost}}, sites);
    for (const SplitRepair::Site& site : split.sites) {
      if (site.number == 1) own = &site.plan;
    }
  }
  for (const std::size_t l : part.read_here)
    chunks[l] = read_file(fmt::format("{}/{}", directory, l));
  const Bytes wanted =
      part.parent.empty() ? read_file(fmt::format("{}/{}", directory, part.lost)) : Bytes();
  const std::size_t chunk_bytes = plan["chunk_bytes"].whole();

  const std::vector<Socket> children = accept_all(hosts.at(node), part.children);
  std::vector<Socket> parent;
  std::uint8_t go = 1;
  if (!part.parent.empty()) {
    parent.push_back(connect_to(hosts.at(part.parent)));
    parent.front().receive({&go, 1});
  }
  const auto start = Clock::now();
  for (const Socket& child : children) child.send({&go, 1});

  Bytes rebuilt(part.parent.empty() ? chunk_bytes : 0);
  std::vector<Bytes> terms(children.size() + 1, Bytes(part.slice_bytes));
  Bytes sum(part.slice_bytes);
  for (std::size_t at = 0; at < chunk_bytes; at += part.slice_bytes) {
    const std::size_t bytes = std::min(part.slice_bytes, chunk_bytes - at);
    std::vector<const std::uint8_t*> added;
    if (own != nullptr) {
      std::vector<std::uint8_t*> pointers(chunks.size(), nullptr);
      for (const std::size_t l : part.read_here) pointers[l] = chunks[l].data() + at;
      pointers[part.lost] = terms.back().data();
      if (own->run(pointers.data(), bytes) != Status::kOk) give_up(last_error());
      added.push_back(terms.back().data());
    }
    for (std::size_t child = 0; child < children.size(); ++child) {
      children[child].receive({terms[child].data(), bytes});
      added.push_back(terms[child].data());
    }
    std::uint8_t* const to = part.parent.empty() ? rebuilt.data() + at : sum.data();
    if (add_sums(added.data(), added.size(), to, bytes) != Status::kOk) give_up(last_error());
    if (!parent.empty()) parent.front().send({to, bytes});
  }
  if (!part.parent.empty()) return;
  const std::chrono::duration<double> took = Clock::now() - start;
  if (rebuilt != wanted) throw std::runtime_error("the rebuilt chunk differs");
  fmt::print("{:.6f}\n", took.count());
}

constexpr std::size_t kProbeBytes = std::size_t{1} << 18;

void probe(const std::string& address, std::size_t bytes, bool sends) {
  Bytes buffer(kProbeBytes);
  if (sends) {
    const Socket socket = connect_to(address);
    for (; bytes > 0; bytes -= std::min(bytes, kProbeBytes)) {
      socket.send({buffer.data(), std::min(bytes, kProbeBytes)});
    }
    return socket.receive({buffer.data(), 1});  // until all of it has come
  }
  const std::vector<Socket> sockets = accept_all(address, 1);
  const auto start = Clock::now();
  for (std::size_t left = bytes; left > 0; left -= std::min(left, kProbeBytes)) {
    sockets.front().receive({buffer.data(), std::min(left, kProbeBytes)});
  }
  const std::chrono::duration<double> took = Clock::now() - start;
  sockets.front().send({buffer.data(), 1});
  fmt::print("{:.0f}\n", static_cast<double>(bytes) / took.count());
}

int main_of(const std::vector<std::string>& arguments) {
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (what == "make" && arguments.size() == 4) {
    make(arguments[1], std::stoul(arguments[2]), arguments[3]);
  } else if ((what == "receive" || what == "send") && arguments.size() == 3) {
    probe(arguments[1], std::stoul(arguments[2]), what == "send");
  } else if (what == "run" && arguments.size() == 6) {
    const Bytes text = read_file(arguments[1]);
    std::map<std::string, std::string> hosts;
    std::ifstream lines(arguments[4]);
    for (std::string node, address; lines >> node >> address;) hosts[node] = address;
    run(Json::parse({reinterpret_cast<const char*>(text.data()), text.size()}), arguments[2],
        arguments[3], hosts, arguments[5]);
  } else {
    throw std::runtime_error("make, run, receive or send, with their arguments");
  }
  return 0;
}

}  // namespace
}  // namespace xorloom

int main(int argc, char** argv) {
  try {
    return xorloom::main_of({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "route_node: {}\n", error.what());
    return 1;
  }
}
