#pragma once

// Ceph 18.2 has the interface of 16.2. Its rules no longer bound how many chunks a pool may have.
#include "integrations/ceph/releases/16.2/erasure_code.hpp"
