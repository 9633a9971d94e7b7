// Round trips over two words and two buffers of shared memory, from one program to another: asleep on a futex, or spinning.
// futex publish|echo file bytes rounds sleep|busy
#include "rt_floor.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>

struct side {
    _Alignas(64) atomic_uint word;
    _Alignas(64) atomic_uint sleepers;
    _Alignas(64) char bytes[8192];
};

static int busy;

// False when the word stays as it is for 2 s.
static int wait_beyond(struct side *side, unsigned seen) {
    int64_t until = now_nanos() + 2000000000LL;
    while (atomic_load(&side->word) == seen) {
        if (!busy) {
            struct timespec limit = {.tv_nsec = 100000000};
            atomic_fetch_add(&side->sleepers, 1);
            if (atomic_load(&side->word) == seen)
                syscall(SYS_futex, &side->word, FUTEX_WAIT, seen, &limit, NULL, 0);
            atomic_fetch_sub(&side->sleepers, 1);
        }
        if (now_nanos() > until)
            return 0;
    }
    return 1;
}

static void write_to(struct side *side, const char *from, int bytes, unsigned word) {
    memcpy(side->bytes, from, bytes);
    atomic_store(&side->word, word);
    if (atomic_load(&side->sleepers))
        syscall(SYS_futex, &side->word, FUTEX_WAKE, 0x7FFFFFFF, NULL, NULL, 0);
}

int main(int count, char **args) {
    if (count != 6)
        return 2;
    int publishes = !strcmp(args[1], "publish"), bytes = atoi(args[3]), rounds = atoi(args[4]);
    busy = !strcmp(args[5], "busy");
    int fd = open(args[2], O_RDWR | O_CREAT, 0600);
    if (fd < 0 || bytes > 8192 || ftruncate(fd, 2 * sizeof(struct side)))
        return 4;
    struct side *there = mmap(NULL, 2 * sizeof(struct side), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), *back = there + 1;
    char buffer[8192] = {0};
    if (!publishes) {
        for (unsigned seen = 0; wait_beyond(there, seen); seen++) {
            memcpy(buffer, there->bytes, bytes);
            if (buffer[0])
                return 0; // the end
            write_to(back, buffer, bytes, seen + 1);
        }
        return 0;
    }
    usleep(200000); // the echo is there by then
    int64_t *nanos = calloc(rounds, sizeof *nanos);
    unsigned word = 0;
    for (int i = -WARM_UP_ROUNDS; i < rounds; i++) {
        int64_t sent = now_nanos();
        write_to(there, buffer, bytes, ++word);
        if (!wait_beyond(back, word - 1))
            return 5;
        memcpy(buffer, back->bytes, bytes);
        if (i >= 0)
            nanos[i] = now_nanos() - sent;
    }
    buffer[0] = 1;
    write_to(there, buffer, bytes, ++word);
    print_figures(busy ? "futex spinning" : "futex", bytes, nanos, rounds);
    return 0;
}
