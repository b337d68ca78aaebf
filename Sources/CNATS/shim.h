#ifndef EARSHOT_CNATS_SHIM_H
#define EARSHOT_CNATS_SHIM_H
#include <nats/nats.h>
#endif
