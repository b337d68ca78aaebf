// The page's files, put into the program by the compiler, which also notes them as what this file is made of: a page that
// is edited is compiled anew. For one more file, add its bytes here and a line to the table below.
#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define SVG "image/svg+xml"
#define PNG "image/png"
#define MANIFEST "application/manifest+json"

static const unsigned char index_html[] = {
#embed "Page/index.html"
};

static const struct earshot_page_file files[] = {
    {"/", HTML, index_html, sizeof index_html},
};

size_t earshot_page_file_count(void) { return sizeof files / sizeof files[0]; }

struct earshot_page_file earshot_page_file_at(size_t index) { return files[index]; }
