#ifndef EARSHOT_COPUS_SHIM_H
#define EARSHOT_COPUS_SHIM_H
#include <opus.h>
#endif
