#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/service/http_message.hpp"
#include "cli/shell/streams.hpp"

namespace xorloom::cli {

using ServiceClock = std::chrono::steady_clock;

/// Address at which a service listens.
struct ListenAt {
  std::string address = "127.0.0.1";  ///< IPv4 or IPv6, as numbers
  std::size_t port = 0;               ///< 0: any that is free
  std::string socket{};               ///< path of a Unix socket, in place of these; "": none
};

/// A socket that listens. It removes its Unix socket at its end.
class Listener {
 public:
  /// Errors: throws kInvalidArgument for an address that is none, kIo if it cannot be had: a
  ///         program listens there, or the path of the socket is another file.
  explicit Listener(const ListenAt& at);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  int number() const { return socket_.number(); }
  /// "http://127.0.0.1:8127", "unix:/run/xorloom.sock".
  const std::string& name() const { return name_; }

 private:
  Descriptor socket_;
  std::string path_;  ///< to be removed; "": none
  std::string name_;
};

/// The connections of a service: one thread, sockets that do not block, and bounds on all that a
/// client can cause.
///
/// A connection reads a head of at most kMostHeadBytes, waits for its answer, and writes it. A head
/// that is not complete `seconds` after its first byte, and an answer that the client does not take
/// for as long, end the connection, as does a connection without a request for three times as
/// long. Bodies are refused by their headers and never read, but for what closes in order.
class Connections {
 public:
  using Ticket = std::uint64_t;

  /// Called for a request. Returns the answer, or nullopt if answer() is to be called for the
  /// ticket later. `client` is what limits are counted for: an address, or "local".
  using Ask = std::function<std::optional<HttpAnswer>(const HttpRequest& request,
                                                      const std::string& client, Ticket ticket)>;

  struct Limits {
    std::size_t connections = 2048;
    double seconds = 10;
  };

  static constexpr std::size_t kMostHeadBytes = std::size_t{16} << 10;

  Connections(const Listener& listener, Limits limits, Ask ask);

  /// Adds what to wait for.
  void add_to(std::vector<pollfd>& waits) const;

  /// Serves those of `waits` that are ready, and ends connections that are late.
  void serve(const std::vector<pollfd>& waits, ServiceClock::time_point now);

  /// Answers a request. No effect if its client has gone.
  void answer(Ticket ticket, HttpAnswer answer);

 private:
  enum class State { kReading, kWaiting, kWriting, kClosing };

  struct Connection {
    explicit Connection(int number) : socket(number) {}
    Descriptor socket;
    std::string client;
    State state = State::kReading;
    std::string in;  ///< read, and not yet a request
    std::string head;
    std::shared_ptr<const std::string> body;
    std::size_t written = 0;  ///< bytes of head and body
    std::size_t dropped = 0;  ///< kClosing: bytes read and dropped
    bool is_head_only = false;
    bool keeps_alive = true;
    std::string known_etags;
    ServiceClock::time_point deadline;
  };

  void accept_all(ServiceClock::time_point now);
  /// read(), take_requests(), write() and reply() return false if the connection ends.
  bool read(Ticket ticket, Connection& connection, ServiceClock::time_point now);
  bool take_requests(Ticket ticket, Connection& connection, ServiceClock::time_point now);
  bool write(Connection& connection, ServiceClock::time_point now);
  bool reply(Connection& connection, HttpAnswer answer, ServiceClock::time_point now);
  ServiceClock::time_point later(ServiceClock::time_point now, double times) const;

  const Listener& listener_;
  Limits limits_;
  Ask ask_;
  Ticket next_ = 1;
  std::unordered_map<Ticket, std::unique_ptr<Connection>> open_;
  std::unordered_map<int, Ticket> by_socket_;
};

}  // namespace xorloom::cli
