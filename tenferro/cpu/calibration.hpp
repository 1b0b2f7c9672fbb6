// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The calibration table: every figure that decides how work is cut, shared out, or given to one loop rather than
// another. What of it decides the order of a sum is marked; together with operation, dtype and shape those figures fix
// the bits of a result, so they are constants; two of them, the depth of a packed block and who multiplies, are what
// machine_calibration() says for a machine. The geometry of the trees of sums stands in
// kernels/reduce_tree.hpp and kernels/gemv.hpp, with the loops that are built on it.
//
//   context.parallel_for(rows, calibration::kSortedElementNs * length, body);
//
// Times are nanoseconds on one core of a server of 2020 or later; a factor of two either way does no harm.

#include <cstdint>

namespace tenferro::calibration {

// Sharing out.
inline constexpr double kMinRegionNs = 15'000;       ///< ns of a loop below which it is one chunk
inline constexpr double kMinChunkNs = 4'000;         ///< ns of a chunk at least
inline constexpr std::uint32_t kMaxChunks = 128;     ///< chunks of a loop at most
inline constexpr double kSerialNs = 20'000;          ///< ns of a kernel below which it does not even ask
inline constexpr double kBoxBlockNs = 10'000;        ///< ns of a block into which a box of runs is cut
inline constexpr double kWakeFactor = 4;             ///< wake costs that work must exceed before helpers are woken
inline constexpr std::int64_t kSharedBytes = 65536;  ///< bytes of a copy from which it is shared out
inline constexpr std::int64_t kBlockBytes = 32768;   ///< bytes of a block of a copy

// Movements.
inline constexpr std::int64_t kPlainMoveBytes = 512;  ///< up to here a plan costs more than it saves
inline constexpr std::int64_t kTurnedSide = 64;       ///< of a matrix that is turned at once
inline constexpr std::int64_t kRowPlaces = 128;       ///< places of a row in a table; longer loops are rows as they are
inline constexpr std::int64_t kTileColumns = 64;      ///< columns of a tile that turns no squares
inline constexpr std::int64_t kNearSteps = 4;         ///< elements from one to the next in a row that is read in one go
inline constexpr std::int64_t kWays = 8;              ///< lines of one set of a first cache …
inline constexpr std::int64_t kWayBytes = 4096;       ///< … and bytes of one line of all sets
inline constexpr std::int64_t kTileBytes = 512;       ///< a side of a tile that stays in the caches
inline constexpr std::int64_t kStreamBytes = std::int64_t{24} << 20;  ///< results from here on go past the caches …
inline constexpr std::int64_t kStreamTileBytes = 128;                 ///< … by tiles with this side
inline constexpr std::int64_t kStreamSpanBytes = 65536;  ///< … where columns of bytes are written within so many
inline constexpr std::int64_t kStagedRowBytes = 2048;    ///< … or, unless they consist of whole lines, with rows
inline constexpr std::int64_t kStagedColumnBytes = 640;  ///< and columns of this size
inline constexpr std::int64_t kStagedBytes = 131072;     ///< by way of a buffer of this size
inline constexpr std::int64_t kEndsAhead = 16;           ///< columns whose partial lines are fetched before
inline constexpr std::int64_t kLibraryRunBytes = std::int64_t{1} << 20;  ///< runs from here on are for memcpy
inline constexpr std::int64_t kFillBytes = 131072;                       ///< of a row that is one element
inline constexpr std::int64_t kTriangleBlockBytes = 131072;              ///< bytes of a block of a triangle …
inline constexpr std::int64_t kTriangleColumns = 64;                     ///< … but columns at least
/// Results of rows whose operands together have this many bytes go past the caches, too.
inline constexpr std::int64_t kStreamElementsBytes = std::int64_t{20} << 20;

// What an element costs, in ns, where nothing else is said.
inline constexpr double kCheapElementNs = 0.5;  ///< a few instructions: bound by memory
inline constexpr double kDearElementNs = 8;     ///< a function of the mathematical library
inline constexpr double kComplexWeight = 4;     ///< a complex element in real ones
inline constexpr double kRunNs = 5;             ///< the start of a run of elements
inline constexpr double kReducedByteNs = 0.02;  ///< a byte of an operand that is reduced
inline constexpr double kReducedItemNs = 10;    ///< a result, or a part of one
inline constexpr double kArgElementNs = 0.6;
inline constexpr double kScannedElementNs = 1;
inline constexpr double kScannedExpNs = 15;     ///< an element of a running log-sum-exp
inline constexpr double kSortedElementNs = 20;  ///< an element of a line that is sorted; the same for the line itself
inline constexpr std::int64_t kLinePiece = 32768;  ///< elements of a line, sorted or scanned, that are worth a thread
/// Keys of 4 bytes up to which networks sort a list faster than radix …
inline constexpr std::int64_t kNetworkKeys32 = 16384;
inline constexpr std::int64_t kNetworkKeys64 = 1536;      ///< … of 8 bytes, in vectors of 64 bytes …
inline constexpr std::int64_t kNetworkKeys64Short = 448;  ///< … and in shorter vectors
inline constexpr double kCopiedByteNs = 0.15;
inline constexpr double kTriangleByteNs = 0.1;
inline constexpr double kTriangleColumnNs = 5;
inline constexpr double kGatheredElementNs = 0.5;
inline constexpr double kGatheredWindowNs = 2;
inline constexpr double kScatteredElementNs = 1;
inline constexpr double kCheckedIndexNs = 0.2;  ///< one index that is an offset as it stands
inline constexpr double kIndexNs = 2;           ///< one index turned into an offset
inline constexpr double kRandomNs = 2;          ///< one random number

inline constexpr std::int64_t kFewJoinedBytes = 4096;  ///< concatenated run by run, without plans

// Gather and scatter.
inline constexpr std::int64_t kGatherSerial = 4096;       ///< elements below which a gather is not shared out
inline constexpr std::int64_t kFewWindows = 16;           ///< fewer large windows are copied one after another …
inline constexpr std::int64_t kLargeWindowBytes = 65536;  ///< … if each has this many bytes
inline constexpr std::int64_t kWindowsAcross = 4096;      ///< windows of which one element after another is moved …
inline constexpr std::int64_t kNearWindowsAcross = 256;   ///< … where those elements share lines of the tensor
inline constexpr std::int64_t kFetchedReachBytes = std::int64_t{1} << 19;  ///< windows further apart are fetched …
inline constexpr std::int64_t kFetchedWindows = 128;                       ///< … so many ahead
inline constexpr std::int64_t kGatheredPart = 32;      ///< far places that are moved for all windows at a time …
inline constexpr std::int64_t kScatteredPart = 16;     ///< … and the same where they are written
inline constexpr std::int64_t kScatterSerial = 32768;  ///< elements below which a scatter is not shared out
inline constexpr std::int64_t kLaneSteps = 4;          ///< parts of the free axis of a scatter for each lane …
inline constexpr std::int64_t kScatterSteps = 32;      ///< … and at most

// Products of matrices.
inline constexpr double kMultiplyAddNs = 0.03;
inline constexpr double kMultiplyAddVectorNs = 0.3;  ///< in products with a vector, bound by memory
/// Multiply-adds from which a product is worth packing its operands, unless one of m, n and k is at most kThin. Fixes
/// bits.
inline constexpr std::int64_t kPackedFrom = (std::int64_t{1} << 21) + 1;
inline constexpr std::int64_t kThin = 16;
inline constexpr std::int64_t kOneSmallCall = std::int64_t{1} << 18;  ///< multiply-adds that are not worth sharing out
// Batches whose items are neighbours: elements that lie nearer than kFarItemsBytes are read where they are.
inline constexpr std::int64_t kFarItemsBytes = 2048;
inline constexpr std::int64_t kCopiedRunBytes = 512;  ///< of one element of all items, copied at a time at most …
/// … and less where the copies are more than this.
inline constexpr std::int64_t kNearCopiesBytes = std::int64_t{640} << 10;
inline constexpr std::int64_t kCopiedBytes = std::int64_t{4} << 20;   ///< copies that no cache holds pay for nothing
inline constexpr std::int64_t kLongRunBytes = std::int64_t{1} << 20;  ///< span of a matrix read by long columns …
inline constexpr std::int64_t kLongRowBytes = 512;                    ///< … of this many bytes at least, …
/// … or this span, where columns lie a multiple of kSameSetBytes apart and drive each other out of the nearest cache.
inline constexpr std::int64_t kLongRunOfSameSetBytes = 65536;
inline constexpr std::int64_t kSameSetBytes = 2048;
inline constexpr std::int64_t kSmallColumns = 8;  ///< parts of the columns are multiples of this
/// Bytes of one row of a packed block of the left operand, and of one column of the right one: k is cut into the fewest
/// equal parts that keep to it. Fixes bits.
inline constexpr std::int64_t kDepthBytes = 2048;
inline constexpr std::int64_t kLeftBlockBytes = std::int64_t{1} << 19;   ///< half of a second cache
inline constexpr std::int64_t kRightBlockBytes = std::int64_t{1} << 22;  ///< a share of a last cache
inline constexpr double kTileNs = 30;                                    ///< the call for one tile
inline constexpr double kVectorBlockNs = 10;                             ///< the call for one block of rows
inline constexpr std::int64_t kOneTile = std::int64_t{1}
                                         << 22;  ///< multiply-adds up to which a product is one call; fixes bits
inline constexpr std::int64_t kOneVectorBlock = std::int64_t{1} << 16;  ///< the same for a product with a vector
inline constexpr std::int64_t kTileMultiple = 64;  ///< sides of tiles are multiples of this; fixes bits
inline constexpr std::int64_t kTileLeast = 256;    ///< a shorter side is not halved; fixes bits
inline constexpr double kManyTiles = 2048;         ///< kOneTile's from which there are twice as many tiles; fixes bits
inline constexpr double kFewestTiles = 8;          ///< tiles of a smaller product at most; fixes bits
/// OpenBLAS has kernels of their own for real products up to this many multiply-adds; they sum in other orders when an
/// operand is transposed, and are slower then: such operands are packed. Fixes bits.
inline constexpr std::int64_t kSmallProduct = 1'000'000;

}  // namespace tenferro::calibration
