#ifndef EARSHOT_CCURL_SHIM_H
#define EARSHOT_CCURL_SHIM_H
// The checks are for values that are written where they are set.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift cannot call what is variadic; each of these is for the options that take such a value.

static inline CURLcode earshot_curl_set_number(CURL *easy, CURLoption option, long number) {
    return curl_easy_setopt(easy, option, number);
}

// libcurl copies the text.
static inline CURLcode earshot_curl_set_text(CURL *easy, CURLoption option, const char *text) {
    return curl_easy_setopt(easy, option, text);
}

static inline CURLcode earshot_curl_set_pointer(CURL *easy, CURLoption option, void *pointer) {
    return curl_easy_setopt(easy, option, pointer);
}

static inline CURLcode earshot_curl_set_callback(CURL *easy, CURLoption option, curl_write_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

// Has the bytes sent by POST; libcurl copies them.
static inline CURLcode earshot_curl_set_body(CURL *easy, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

// The status of the last head that came; 0 before any.
static inline long earshot_curl_status(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
#endif
