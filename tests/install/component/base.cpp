// SPDX-License-Identifier: MIT OR Apache-2.0
#include <tenferro/base/inline_vector.hpp>
#include <tenferro/base/version.hpp>

int main() {
  tenferro::InlineVector<int, 2> values;
  for (int i = 0; i < 5; ++i) values.push_back(i);
  return values.back() == 4 && tenferro::kVersion[0] == '0' ? 0 : 1;
}
