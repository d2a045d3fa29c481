#include "problem.h"
#define TILE_M 32 // @tune TILE_M 16 32 64
#define UNROLL (4) /* pairs */
// @tune UNROLL (2), (4) (8)
#define KIND row
// @tune KIND row column
#ifdef A
#define FAST 1
#else
#define FAST 0
#endif
// @tune FAST 0 1
// @tune-if TILE_M * UNROLL <= 128
// @tune-if FAST == 0 || TILE_M % 32 == 0
