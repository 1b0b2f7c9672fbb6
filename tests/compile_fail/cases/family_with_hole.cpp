// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: no_family_entry_for<1
// A table of a family needs an entry for each of its rows; the message gives the number of the row.
#include "tenferro/ops/define_family.hpp"

enum class Toy : std::uint16_t { twice, thrice };
constexpr tenferro::FamilyRow kRows[] = {{"twice", "x + x.", 1, 1}, {"thrice", "x + x + x.", 1, 1}};

#ifdef TENFERRO_MUST_FAIL
constexpr auto kTable = tenferro::family_table<Toy, int>(kRows, {{Toy::twice, 2}});
#else
constexpr auto kTable = tenferro::family_table<Toy, int>(kRows, {{Toy::twice, 2}, {Toy::thrice, 3}});
#endif
TENFERRO_COVERS_FAMILY(kRows, kTable);
