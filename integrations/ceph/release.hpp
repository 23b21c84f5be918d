#pragma once

// The interface of the release of Ceph that is installed, and what that release does in its own
// way: releases/16.2/release.hpp, for example.
#include XORLOOM_CEPH_RELEASE
