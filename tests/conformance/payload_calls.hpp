// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Calls of the operations with a payload: ordinary ones in several variants, some without any element, some of rank 0.
// The large_… ones have work for several threads.

#include "tests/conformance/op_samples.hpp"

namespace tenferro::testing {

Calls reduction_calls_of(OpKind kind, DType d);
Calls large_reductions_of(OpKind kind, DType d);
Calls arg_reduction_calls_of(OpKind kind, DType d);
Calls large_arg_reductions_of(OpKind kind, DType d);
Calls scan_calls_of(OpKind kind, DType d);
Calls large_scans_of(OpKind kind, DType d);
Calls sort_calls_of(OpKind kind, DType d);
Calls large_sorts_of(OpKind kind, DType d);
Calls triangle_calls_of(OpKind kind, DType d);
Calls large_triangles_of(OpKind kind, DType d);

// The same for one row, as functions of the dtype alone.
#define TENFERRO_CALLS_OF_KIND(name) \
  template <OpKind kind>             \
  Calls name(DType d) {              \
    return name##_of(kind, d);       \
  }
TENFERRO_CALLS_OF_KIND(reduction_calls)
TENFERRO_CALLS_OF_KIND(large_reductions)
TENFERRO_CALLS_OF_KIND(arg_reduction_calls)
TENFERRO_CALLS_OF_KIND(large_arg_reductions)
TENFERRO_CALLS_OF_KIND(scan_calls)
TENFERRO_CALLS_OF_KIND(large_scans)
TENFERRO_CALLS_OF_KIND(sort_calls)
TENFERRO_CALLS_OF_KIND(large_sorts)
TENFERRO_CALLS_OF_KIND(triangle_calls)
TENFERRO_CALLS_OF_KIND(large_triangles)
#undef TENFERRO_CALLS_OF_KIND

Calls top_k_calls(DType d);
Calls large_top_k(DType d);
Calls dot_general_calls(DType d);
Calls large_dot_general(DType d);

Calls transpose_calls(DType d);
Calls large_transposes(DType d);
Calls reshape_calls(DType d);
Calls large_reshapes(DType d);
Calls broadcast_calls(DType d);
Calls large_broadcasts(DType d);
Calls convert_calls(DType d);
Calls large_converts(DType d);
Calls extract_diag_calls(DType d);
Calls large_extract_diags(DType d);
Calls embed_diag_calls(DType d);
Calls large_embed_diags(DType d);
Calls reverse_calls(DType d);
Calls large_reverses(DType d);
Calls concatenate_calls(DType d);
Calls large_concatenates(DType d);
Calls pad_calls(DType d);
Calls large_pads(DType d);
Calls slice_calls(DType d);
Calls large_slices(DType d);

Calls gather_calls(DType d);
Calls large_gathers(DType d);
Calls scatter_calls(DType d);
Calls large_scatters(DType d);
Calls dynamic_slice_calls(DType d);
Calls large_dynamic_slices(DType d);
Calls dynamic_update_calls(DType d);
Calls large_dynamic_updates(DType d);
Calls gather_dynamic_calls(DType d);
Calls large_gathers_dynamic(DType d);

Calls shape_of_calls(DType d);
Calls large_shape_of(DType d);
Calls truncate_calls(DType d);
Calls large_truncates(DType d);
Calls pad_to_match_calls(DType d);
Calls large_pads_to_match(DType d);
Calls constant_calls(DType d);
Calls large_constants(DType d);
Calls iota_calls(DType d);
Calls large_iotas(DType d);
Calls random_bits_calls(DType d);
Calls large_random_bits(DType d);

}  // namespace tenferro::testing
