// What the programs here have in common: the clock, the samples, and their figures as one line.
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WARM_UP_ROUNDS 500

static int64_t now_nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void print_figures(const char *what, int bytes, int64_t *nanos, int count) {
    qsort(nanos, count, sizeof *nanos, by_size);
    printf("%s %d bytes: p50 %.1f us, p99 %.1f us, max %.1f us, %d samples, processor %d\n", what, bytes,
        nanos[count / 2] / 1000.0, nanos[(int64_t)count * 99 / 100] / 1000.0, nanos[count - 1] / 1000.0, count, sched_getcpu());
}
