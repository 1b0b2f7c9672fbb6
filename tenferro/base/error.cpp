// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/base/error.hpp"

namespace tenferro {

Error::~Error() = default;

}  // namespace tenferro
