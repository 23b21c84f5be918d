#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/service/http_message.hpp"

namespace xorloom::cli {

/// A question of the service as a call of the program.
struct Question {
  std::vector<std::string> arguments;  ///< "equations", "rs:k=4,m=2", "--erase=0", "--format=json"
  /// `arguments` with a search of some seconds; empty if nothing is searched.
  std::vector<std::string> search;
  std::string type;  ///< media type of the answer

  /// Equal for equal questions, whatever the order of their keys.
  std::string key() const;
};

/// A path that the service answers, and the keys of its query with their meanings.
struct QuestionKey {
  const char* name;
  const char* about;
};
struct QuestionPath {
  const char* path;     ///< "/v1/equations"
  const char* command;  ///< "equations"
  const char* about;
  std::span<const QuestionKey> keys;
};

std::span<const QuestionPath> question_paths();

/// The question of a request for `path`, one of question_paths(). `store` (a place of Store, ""
/// being what comes with Xorloom) and `search_seconds` (0:
/// none) are those of the service.
///
/// A spec that names a file, and any key that is not in the table, are refused: no request makes
/// the program open a file that it names.
///
/// Errors: throws kInvalidArgument with a sentence for the client.
Question question_of(const QuestionPath& path, const HttpRequest& request, const std::string& store,
                     std::size_t search_seconds);

}  // namespace xorloom::cli
