// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/thread_record.hpp"

namespace tenferro::internal {

thread_local constinit ThreadRecord thread_record{};

}  // namespace tenferro::internal
