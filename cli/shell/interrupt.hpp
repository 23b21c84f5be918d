#pragma once

namespace xorloom::cli {

/// Sees to it that Ctrl-C, Ctrl-\, a hangup, a polite kill and a limit on the processor's time
/// leave no half-written files and no line about progress behind, and that a limit on the size of
/// files is an error of writing. To be called before any other thread begins. If the system has no
/// second thread, only the limit on files is seen to, and signals leave half-written files behind.
void clean_up_on_interrupt();

/// While there is one, Ctrl-C and a polite kill ask for an end for once, instead of ending the
/// program: work that has something to show for itself then shows it. The next one ends it.
class EndOnRequest {
 public:
  EndOnRequest();
  EndOnRequest(const EndOnRequest&) = delete;
  EndOnRequest& operator=(const EndOnRequest&) = delete;
  ~EndOnRequest();

  static bool is_requested();
};

}  // namespace xorloom::cli
