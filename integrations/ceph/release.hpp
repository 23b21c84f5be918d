#pragma once

// The interface of the release of Ceph that is installed: releases/16.2/erasure_code.hpp, for
// example.
#include XORLOOM_CEPH_RELEASE
