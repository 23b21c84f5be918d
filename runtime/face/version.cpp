#include "xorloom/version.h"

#include "xorloom/xorloom.h"
#include "xorloom/xorloom.hpp"

const char* xorloom::version() noexcept { return XORLOOM_VERSION; }

const char* xl_version(void) { return XORLOOM_VERSION; }
