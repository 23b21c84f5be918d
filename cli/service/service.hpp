#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cli/service/answer_cache.hpp"
#include "cli/service/connections.hpp"
#include "cli/service/jobs.hpp"
#include "cli/service/questions.hpp"

namespace xorloom::cli {

struct ServiceOptions {
  ListenAt at;
  std::string store;               ///< as --store takes it
  std::string page;                ///< as explorer_page() takes it
  std::size_t connections = 2048;  ///< the most at once
  std::size_t cache_bytes = std::size_t{64} << 20;
  std::size_t jobs = 2;             ///< the most answers computed at once
  std::size_t rate = 20;            ///< answers that a client may have computed per second
  std::size_t timeout = 10;         ///< seconds: of a slow client, and of computing an answer
  std::size_t search_seconds = 10;  ///< limit of a background search; 0: no search
};

/// Limits the rate of each client: a bucket of `rate` tokens that fills at `rate` per second.
class ClientRates {
 public:
  explicit ClientRates(std::size_t rate) : rate_(static_cast<double>(rate)) {}

  /// Takes a token. False if there is none.
  bool take(const std::string& client, ServiceClock::time_point now);

 private:
  static constexpr std::size_t kMostClients = 4096;
  struct Bucket {
    double tokens;
    ServiceClock::time_point filled;
  };
  double rate_;
  std::unordered_map<std::string, Bucket> buckets_;
};

/// Answers questions: from the cache, or by a call of the program. The same question of several
/// clients is computed once. Equations that were searched fast are searched again in the
/// background, one at a time; what the store then has takes the place of the answer.
class Service {
 public:
  explicit Service(const ServiceOptions& options);

  const std::string& name() const { return listener_.name(); }

  /// Serves until EndOnRequest is asked for an end.
  void run();

 private:
  /// Answers that have to be computed at once; more are refused.
  static constexpr std::size_t kMostQueued = 256;
  static constexpr std::size_t kMostSearches = 256;

  struct Pending {
    Question question;
    std::vector<Connections::Ticket> tickets;
  };

  std::optional<HttpAnswer> ask(const HttpRequest& request, const std::string& client,
                                Connections::Ticket ticket);
  std::optional<HttpAnswer> ask_question(Question question, const std::string& client,
                                         Connections::Ticket ticket);
  void start_jobs();
  void finish(const JobResult& result);
  void finish_search(const std::string& key);
  HttpAnswer answer_of(const JobResult& result, const Question& question) const;
  void plan_search(const std::string& key, Question question);

  ServiceOptions options_;
  std::optional<HttpAnswer> page_;  ///< the explorer
  Listener listener_;
  AnswerCache cache_;
  ClientRates rates_;
  Jobs jobs_;
  std::unordered_map<std::string, Pending> pending_;    ///< by key: queued or computed
  std::deque<std::string> queue_;                       ///< keys of `pending_` that wait
  std::unordered_map<std::string, Question> searches_;  ///< by key: to be searched, or being so
  std::deque<std::string> search_queue_;
  std::unordered_set<std::string> searched_;  ///< keys whose search was begun
  Connections connections_;
};

}  // namespace xorloom::cli
