#ifndef EARSHOT_CWEBP_SHIM_H
#define EARSHOT_CWEBP_SHIM_H
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>
#include <webp/mux_types.h>
#endif
