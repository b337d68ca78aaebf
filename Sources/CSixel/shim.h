#ifndef EARSHOT_CSIXEL_SHIM_H
#define EARSHOT_CSIXEL_SHIM_H
#include <sixel.h>
#endif
