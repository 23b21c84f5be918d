#pragma once

namespace xorloom::cli {

/// Makes SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU remove half-written files and the progress
/// line before they end the program. Exceeding the limit on file sizes (SIGXFSZ) becomes a write
/// error. Precondition: no other thread runs yet. If no thread can be started, only the last holds.
void clean_up_on_interrupt();

/// While one exists, the first SIGINT or SIGTERM only asks for an end, so that a search can still
/// show its result. What was asked once holds for all that follow: a command of several searches
/// ends the rest at once, too. The next signal ends the program, but not within 0.2 s of the first.
/// Commands that search have one from their start to their output; they may be nested.
class EndOnRequest {
 public:
  EndOnRequest();
  EndOnRequest(const EndOnRequest&) = delete;
  EndOnRequest& operator=(const EndOnRequest&) = delete;
  ~EndOnRequest();

  static bool is_requested();
};

}  // namespace xorloom::cli
