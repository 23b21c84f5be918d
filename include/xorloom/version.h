#ifndef XORLOOM_VERSION_H
#define XORLOOM_VERSION_H

/* The version of these headers. xl_version() in C and xorloom::version() in C++ return that of the
 * library a program runs with. */

#define XORLOOM_VERSION_MAJOR 0
#define XORLOOM_VERSION_MINOR 2
#define XORLOOM_VERSION_PATCH 0
#define XORLOOM_VERSION "0.2.0+dev" /* "+dev": a development version after that release */

#endif
