// Nothing but what tests precompile: a target needs a source to have it made for.
#include <doctest/doctest.h>
