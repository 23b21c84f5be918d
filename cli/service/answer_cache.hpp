#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>

#include "cli/service/http_message.hpp"

namespace xorloom::cli {

/// The answers that were asked for last, up to a bound on their bytes.
class AnswerCache {
 public:
  explicit AnswerCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Null if there is none. What is found counts as the last that was asked for.
  const HttpAnswer* find(const std::string& key);

  /// Keeps an answer in place of an earlier one, and drops those that were asked for longest ago.
  /// One that is larger than the bound is not kept.
  void keep(const std::string& key, HttpAnswer answer);

  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string key;
    HttpAnswer answer;
    std::size_t bytes;
  };
  void drop(std::list<Entry>::iterator entry);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  ///< the last first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace xorloom::cli
