#include "cli/service/connections.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr int kBacklog = 1024;
constexpr std::size_t kMostDropped = std::size_t{1} << 20;  ///< bytes of a refused body

union AnyAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_un local;
};

[[noreturn]] void cannot_listen(const std::string& where, const std::string& why) {
  fail(Status::kIo, fmt::format("cannot listen on {}: {}", where, why));
}

/// The path of a Unix socket as an address.
socklen_t set_local(AnyAddress& address, const std::string& path) {
  address.local.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.local.sun_path) {
    fail(Status::kInvalidArgument,
         fmt::format("the path of a socket has {} bytes, more than {}: {}", path.size(),
                     sizeof address.local.sun_path - 1, excerpt(path)));
  }
  std::memcpy(static_cast<char*>(address.local.sun_path), path.c_str(), path.size() + 1);
  return sizeof address.local;
}

/// Removes a socket that no program listens on any more. Errors: throws kIo for any other file.
void remove_stale(const std::string& path, const AnyAddress& address, socklen_t bytes) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) cannot_listen(path, "it is a file that is no socket");
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(probe.number(), &address.any, bytes) == 0) {
    cannot_listen(path, "a program listens there");
  }
  if (errno == ECONNREFUSED) ::unlink(path.c_str());
}

socklen_t set_numbers(AnyAddress& address, const ListenAt& at) {
  const auto port = htons(static_cast<std::uint16_t>(at.port));
  if (::inet_pton(AF_INET, at.address.c_str(), &address.v4.sin_addr) == 1) {
    address.v4.sin_family = AF_INET;
    address.v4.sin_port = port;
    return sizeof address.v4;
  }
  if (::inet_pton(AF_INET6, at.address.c_str(), &address.v6.sin6_addr) == 1) {
    address.v6.sin6_family = AF_INET6;
    address.v6.sin6_port = port;
    return sizeof address.v6;
  }
  fail(Status::kInvalidArgument,
       fmt::format("address = '{}' is no address of IPv4 or IPv6 in numbers", excerpt(at.address)));
}

int family_of(const ListenAt& at) {
  if (!at.socket.empty()) return AF_UNIX;
  return at.address.find(':') == std::string::npos ? AF_INET : AF_INET6;
}

/// The client that limits are counted for: its address, or "local".
std::string client_of(const AnyAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.any.sa_family == AF_INET) {
    ::inet_ntop(AF_INET, &address.v4.sin_addr, text.data(), text.size());
  } else if (address.any.sa_family == AF_INET6) {
    ::inet_ntop(AF_INET6, &address.v6.sin6_addr, text.data(), text.size());
  } else {
    return "local";
  }
  return text.data();
}

}  // namespace

Listener::Listener(const ListenAt& at)
    : socket_(::socket(family_of(at), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  AnyAddress address{};
  const bool is_local = !at.socket.empty();
  socklen_t bytes = is_local ? set_local(address, at.socket) : set_numbers(address, at);
  name_ = is_local ? at.socket : fmt::format("{} port {}", at.address, at.port);
  if (socket_.number() < 0) cannot_listen(name_, std::strerror(errno));
  if (is_local) {
    remove_stale(at.socket, address, bytes);
  } else {
    const int yes = 1;
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  }
  const mode_t mask = ::umask(0177);  // the socket is the user's own
  const int bound = ::bind(socket_.number(), &address.any, bytes);
  const int error = errno;
  ::umask(mask);
  errno = error;
  if (bound != 0 || ::listen(socket_.number(), kBacklog) != 0) {
    cannot_listen(name_, std::strerror(errno));
  }
  if (is_local) {
    path_ = at.socket;
    name_ = "unix:" + at.socket;
    return;
  }
  ::getsockname(socket_.number(), &address.any, &bytes);
  const bool is_v6 = address.any.sa_family == AF_INET6;
  name_ = fmt::format(fmt::runtime(is_v6 ? "http://[{}]:{}" : "http://{}:{}"), at.address,
                      ntohs(is_v6 ? address.v6.sin6_port : address.v4.sin_port));
}

Listener::~Listener() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

Connections::Connections(const Listener& listener, Limits limits, Ask ask)
    : listener_(listener), limits_(limits), ask_(std::move(ask)) {}

ServiceClock::time_point Connections::later(ServiceClock::time_point now, double times) const {
  return now + std::chrono::duration_cast<ServiceClock::duration>(
                   std::chrono::duration<double>(limits_.seconds * times));
}

void Connections::add_to(std::vector<pollfd>& waits) const {
  if (open_.size() < limits_.connections) waits.push_back({listener_.number(), POLLIN, 0});
  for (const auto& [ticket, connection] : open_) {
    const short events = connection->state == State::kWaiting   ? short{0}
                         : connection->state == State::kWriting ? short{POLLOUT}
                                                                : short{POLLIN};
    waits.push_back({connection->socket.number(), events, 0});
  }
}

void Connections::accept_all(ServiceClock::time_point now) {
  while (open_.size() < limits_.connections) {
    AnyAddress address{};
    socklen_t bytes = sizeof address;
    const int number =
        ::accept4(listener_.number(), &address.any, &bytes, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (number < 0) return;  // no connection waits, or no descriptor is free
    const Ticket ticket = next_++;
    auto connection = std::make_unique<Connection>(number);
    connection->client = client_of(address);
    connection->deadline = later(now, 3);
    const int yes = 1;
    if (address.any.sa_family != AF_UNIX) {
      ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    by_socket_[number] = ticket;
    open_.emplace(ticket, std::move(connection));
  }
}

void Connections::serve(const std::vector<pollfd>& waits, ServiceClock::time_point now) {
  const auto end = [&](Ticket ticket, int number) {
    by_socket_.erase(number);
    open_.erase(ticket);
  };
  for (const pollfd& wait : waits) {
    if (wait.revents == 0 || wait.fd == listener_.number()) continue;
    const auto found = by_socket_.find(wait.fd);
    if (found == by_socket_.end()) continue;
    const Ticket ticket = found->second;
    Connection& connection = *open_.at(ticket);
    bool goes_on = true;
    if ((wait.revents & POLLIN) != 0) {
      goes_on = read(ticket, connection, now);
    } else if ((wait.revents & POLLOUT) != 0) {
      goes_on = write(connection, now) && take_requests(ticket, connection, now);
    } else {
      goes_on = false;  // POLLERR, POLLHUP
    }
    if (!goes_on) end(ticket, wait.fd);
  }
  std::vector<std::pair<Ticket, int>> late;
  for (const auto& [ticket, connection] : open_) {
    if (connection->state == State::kWaiting || connection->deadline > now) continue;
    late.emplace_back(ticket, connection->socket.number());
  }
  for (const auto& one : late) end(one.first, one.second);
  for (const pollfd& wait : waits) {
    if (wait.fd == listener_.number() && wait.revents != 0) accept_all(now);
  }
}

bool Connections::read(Ticket ticket, Connection& connection, ServiceClock::time_point now) {
  std::array<char, 4096> bytes;
  const ssize_t count = ::recv(connection.socket.number(), bytes.data(), bytes.size(), 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  if (connection.state == State::kClosing) {
    connection.dropped += static_cast<std::size_t>(count);
    return connection.dropped <= kMostDropped;
  }
  if (connection.in.empty()) connection.deadline = later(now, 1);
  connection.in.append(bytes.data(), static_cast<std::size_t>(count));
  return take_requests(ticket, connection, now);
}

bool Connections::take_requests(Ticket ticket, Connection& connection,
                                ServiceClock::time_point now) {
  while (connection.state == State::kReading) {
    const auto bytes = head_bytes(connection.in);
    if (!bytes && connection.in.size() < kMostHeadBytes) return true;
    connection.keeps_alive = false;
    connection.is_head_only = false;
    connection.known_etags.clear();
    if (!bytes || *bytes > kMostHeadBytes) {
      return reply(connection,
                   error_answer(431, fmt::format("a request has at most {} bytes", kMostHeadBytes)),
                   now);
    }
    const auto request = read_request(std::string_view(connection.in).substr(0, *bytes));
    connection.in.erase(0, *bytes);
    if (!request)
      return reply(connection, error_answer(400, "this is no request of HTTP/1.1"), now);
    if (request->has_body) {
      return reply(connection, error_answer(413, "a request has no body here"), now);
    }
    connection.keeps_alive = request->keeps_alive;
    connection.is_head_only = request->method == "HEAD";
    connection.known_etags = request->known_etags;
    connection.state = State::kWaiting;
    auto answer = ask_(*request, connection.client, ticket);
    if (answer && !reply(connection, std::move(*answer), now)) return false;
  }
  return true;
}

void Connections::answer(Ticket ticket, HttpAnswer answer) {
  const auto found = open_.find(ticket);
  if (found == open_.end() || found->second->state != State::kWaiting) return;
  Connection& connection = *found->second;
  const ServiceClock::time_point now = ServiceClock::now();
  if (reply(connection, std::move(answer), now) && take_requests(ticket, connection, now)) return;
  by_socket_.erase(connection.socket.number());
  open_.erase(ticket);
}

bool Connections::reply(Connection& connection, HttpAnswer answer, ServiceClock::time_point now) {
  if (answer.status == 200 && is_known(connection.known_etags, answer.etag)) answer.status = 304;
  connection.head = head_of(answer, connection.keeps_alive);
  const bool has_body = answer.status != 304 && !connection.is_head_only;
  connection.body = has_body ? answer.body : nullptr;
  connection.written = 0;
  connection.state = State::kWriting;
  return write(connection, now);
}

bool Connections::write(Connection& connection, ServiceClock::time_point now) {
  const std::size_t body_bytes = connection.body ? connection.body->size() : 0;
  const std::size_t all = connection.head.size() + body_bytes;
  connection.deadline = later(now, 1);
  while (connection.written < all) {
    const bool is_head = connection.written < connection.head.size();
    const std::string_view left = is_head
                                      ? std::string_view(connection.head).substr(connection.written)
                                      : std::string_view(*connection.body)
                                            .substr(connection.written - connection.head.size());
    const int flags = MSG_NOSIGNAL | (is_head && body_bytes != 0 ? MSG_MORE : 0);
    const ssize_t count = ::send(connection.socket.number(), left.data(), left.size(), flags);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    connection.written += static_cast<std::size_t>(count);
  }
  connection.body = nullptr;
  if (connection.keeps_alive) {
    connection.state = State::kReading;
    connection.deadline = later(now, connection.in.empty() ? 3 : 1);
    return true;
  }
  // Drops what the client still sends for a moment. If the socket were closed before, the client
  // would lose the answer.
  connection.state = State::kClosing;
  connection.deadline = now + std::chrono::seconds(1);
  return ::shutdown(connection.socket.number(), SHUT_WR) == 0;
}

}  // namespace xorloom::cli
