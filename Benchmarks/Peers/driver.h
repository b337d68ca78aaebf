// The part of the line protocol that drivers in C share; see README.md.
#ifndef DRIVER_H
#define DRIVER_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// A command of the bench: its name and up to two numbers.
struct command {
    char name[16];
    double first, second;
};

/// Units: seconds, from any moment on.
static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/// Writes one line to the bench.
__attribute__((format(printf, 1, 2))) static inline void reply(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    putchar('\n');
    fflush(stdout);
}

/// Ends the driver with the reason on standard error.
__attribute__((format(printf, 1, 2), noreturn)) static inline void fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("mesh-bench: the driver: ", stderr);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(1);
}

/// Reads the next command; ends the driver if the bench has gone.
static inline struct command next_command(void) {
    char line[256];
    struct command command = {"", 0, 0};
    if (!fgets(line, sizeof line, stdin)) exit(0);
    if (sscanf(line, "%15s %lf %lf", command.name, &command.first, &command.second) < 1) fail("no command: %s", line);
    return command;
}

static inline int compare_times(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

/// Writes the distribution of times in seconds, which it sorts.
static inline void reply_trips(double *times, size_t count) {
    qsort(times, count, sizeof *times, compare_times);
    size_t last = (count * 99 + 99) / 100 - 1;
    reply("{\"p50\": %.4f, \"p99\": %.4f}", times[(count - 1) / 2] * 1e3, times[last] * 1e3);
}

static inline void reply_messages(long count, double seconds) {
    reply("{\"count\": %ld, \"seconds\": %.6f}", count, seconds);
}

#endif
