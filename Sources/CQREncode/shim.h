#ifndef EARSHOT_CQRENCODE_SHIM_H
#define EARSHOT_CQRENCODE_SHIM_H
#include <qrencode.h>
#endif
