#ifndef EARSHOT_CTURBOJPEG_SHIM_H
#define EARSHOT_CTURBOJPEG_SHIM_H
#include <turbojpeg.h>
#endif
