#include "cli/service/service.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "cli/service/explorer_page.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/interrupt.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

constexpr int kTickMilliseconds = 100;  ///< late clients and requests for an end are seen that late

/// The sentence of a call that was refused: what follows "xorloom: error: ".
std::string sentence_of(const std::string& err) {
  std::string line = err.substr(0, err.find('\n'));
  constexpr std::string_view kBegin = "xorloom: error: ";
  if (line.starts_with(kBegin)) line.erase(0, kBegin.size());
  return line.empty() ? "the program gave no answer" : line;
}

/// Lists the paths that the service answers, and their keys.
HttpAnswer index() {
  Json paths = Json::array();
  for (const QuestionPath& path : question_paths()) {
    Json keys = Json::array();
    for (const QuestionKey& key : path.keys) {
      keys.push_back({{"key", key.name}, {"about", key.about}});
    }
    paths.push_back({{"path", path.path}, {"about", path.about}, {"keys", keys}});
  }
  HttpAnswer answer;
  answer.body = std::make_shared<const std::string>(
      Json{{"format", "xorloom-service"}, {"version", 1}, {"paths", paths}}.dump(2) + "\n");
  return answer;
}

}  // namespace

bool ClientRates::take(const std::string& client, ServiceClock::time_point now) {
  if (buckets_.size() >= kMostClients && !buckets_.contains(client)) {
    std::erase_if(buckets_, [&](const auto& one) {
      return now - one.second.filled > std::chrono::seconds(1);  // full again
    });
    if (buckets_.size() >= kMostClients) return false;
  }
  Bucket& bucket = buckets_.try_emplace(client, Bucket{rate_, now}).first->second;
  const double passed = std::chrono::duration<double>(now - bucket.filled).count();
  bucket.tokens = std::min(rate_, bucket.tokens + rate_ * passed);
  bucket.filled = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

Service::Service(const ServiceOptions& options)
    : options_(options),
      page_(explorer_page(options.page)),
      listener_(options.at),
      cache_(options.cache_bytes),
      rates_(options.rate),
      jobs_({.seconds = static_cast<double>(options.timeout),
             .background_seconds = 2.0 * static_cast<double>(options.search_seconds) + 10}),
      connections_(
          listener_,
          {.connections = options.connections, .seconds = static_cast<double>(options.timeout)},
          [this](const HttpRequest& request, const std::string& client,
                 Connections::Ticket ticket) { return ask(request, client, ticket); }) {}

void Service::run() {
  const EndOnRequest end_on_request;
  std::vector<pollfd> waits;
  while (!EndOnRequest::is_requested()) {
    waits.clear();
    connections_.add_to(waits);
    jobs_.add_to(waits);
    const int ready = ::poll(waits.data(), waits.size(), kTickMilliseconds);
    if (ready < 0 && errno != EINTR) fail(Status::kIo, "cannot wait for clients");
    if (ready < 0) continue;
    const ServiceClock::time_point now = ServiceClock::now();
    connections_.serve(waits, now);
    for (const JobResult& result : jobs_.finished(now)) finish(result);
    start_jobs();
  }
}

std::optional<HttpAnswer> Service::ask(const HttpRequest& request, const std::string& client,
                                       Connections::Ticket ticket) {
  if (request.method != "GET" && request.method != "HEAD") {
    return error_answer(405, "questions are asked with GET");
  }
  if (request.path == "/" && page_) return page_;
  if (request.path == "/" || request.path == "/v1") return index();
  const auto paths = question_paths();
  const auto path = std::ranges::find(paths, request.path, &QuestionPath::path);
  if (path == paths.end()) return error_answer(404, "there is nothing here: /v1 lists what is");
  try {
    return ask_question(question_of(*path, request, options_.store, options_.search_seconds),
                        client, ticket);
  } catch (const Error& error) {
    return error_answer(400, error.what());
  }
}

std::optional<HttpAnswer> Service::ask_question(Question question, const std::string& client,
                                                Connections::Ticket ticket) {
  const std::string key = question.key();
  if (const HttpAnswer* known = cache_.find(key)) return *known;
  if (const auto found = pending_.find(key); found != pending_.end()) {
    found->second.tickets.push_back(ticket);
    return std::nullopt;
  }
  if (!rates_.take(client, ServiceClock::now())) {
    HttpAnswer answer = error_answer(
        429, fmt::format("a client may have {} answers computed per second", options_.rate));
    answer.retry_seconds = 1;
    return answer;
  }
  if (queue_.size() >= kMostQueued) {
    HttpAnswer answer =
        error_answer(503, fmt::format("{} questions wait for an answer already", kMostQueued));
    answer.retry_seconds = 1;
    return answer;
  }
  pending_.emplace(key, Pending{std::move(question), {ticket}});
  queue_.push_back(key);
  return std::nullopt;
}

void Service::start_jobs() {
  while (!queue_.empty() && jobs_.running(false) < options_.jobs) {
    const std::string key = std::move(queue_.front());
    queue_.pop_front();
    try {
      jobs_.start(key, pending_.at(key).question.arguments, false);
    } catch (const Error& error) {
      finish(
          {.name = key, .status = static_cast<int>(ExitStatus::kEnvironment), .err = error.what()});
    }
  }
  if (search_queue_.empty() || !queue_.empty() || jobs_.running(true) != 0) return;
  const std::string key = std::move(search_queue_.front());
  search_queue_.pop_front();
  try {
    jobs_.start(key, searches_.at(key).search, true);
  } catch (const Error&) {
    searches_.erase(key);  // the answers that there are stay
  }
}

void Service::finish(const JobResult& result) {
  if (result.is_background) return finish_search(result.name);
  const auto found = pending_.find(result.name);
  Pending pending = std::move(found->second);
  pending_.erase(found);
  const HttpAnswer answer = answer_of(result, pending.question);
  // A question that was refused is refused again; one that took too long may do better.
  const bool is_lasting = answer.status == 200 || answer.status == 400;
  if (is_lasting) cache_.keep(result.name, answer);
  for (const Connections::Ticket ticket : pending.tickets) connections_.answer(ticket, answer);
  if (answer.status == 200) plan_search(result.name, std::move(pending.question));
}

HttpAnswer Service::answer_of(const JobResult& result, const Question& question) const {
  if (result.was_late) {
    return error_answer(503, fmt::format("the answer takes longer than {} s, which is the most "
                                         "here: ask the program itself",
                                         options_.timeout));
  }
  if (result.was_large) {
    return error_answer(503, "the answer has too many bytes for a service: ask the program itself");
  }
  if (result.status == 0) {
    HttpAnswer answer;
    answer.type = question.type;
    answer.etag = etag_of(result.out);
    answer.body = std::make_shared<const std::string>(result.out);
    return answer;
  }
  if (result.status == static_cast<int>(ExitStatus::kWrongCall)) {
    return error_answer(400, sentence_of(result.err));
  }
  if (result.status < 0) {
    return error_answer(503, fmt::format("the computation was ended by signal {}: it took too much "
                                         "time or memory",
                                         -result.status));
  }
  return error_answer(500, sentence_of(result.err));
}

void Service::plan_search(const std::string& key, Question question) {
  if (question.search.empty() || searched_.contains(key)) return;
  if (searches_.size() >= kMostSearches) return;
  if (searched_.size() >= 64 * kMostSearches) searched_.clear();
  searched_.insert(key);
  searches_.emplace(key, std::move(question));
  search_queue_.push_back(key);
}

void Service::finish_search(const std::string& key) {
  const auto found = searches_.find(key);
  Question question = std::move(found->second);
  searches_.erase(found);
  // The answer is computed again from the store. Until then the old one stays.
  if (!pending_.contains(key)) {
    pending_.emplace(key, Pending{std::move(question), {}});
    queue_.push_back(key);
  }
}

}  // namespace xorloom::cli
