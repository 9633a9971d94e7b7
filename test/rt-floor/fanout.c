// Sends the same bytes to many readers at a rate, and nothing else: what the sends of a hub cost without the hub.
// fanout readers bytes sendsPerSecond seconds updatesPerSend [nanosOfWorkPerRead]
//
// The later a reader comes to its bytes, the more a send costs: the kernel's buffers are out of the caches by then. So the readers can be
// given as much to do for each read as those of the hub have.
#include "rt_floor.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

static void work(int64_t nanos) {
    for (int64_t until = now_nanos() + nanos; now_nanos() < until;)
        ;
}

// Reads whatever comes until every stream is over.
static int read_all(int readers, struct sockaddr_in *server, int64_t nanos) {
    int epoll = epoll_create1(0), open = readers;
    for (int i = 0; i < readers; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)server, sizeof *server))
            return 4;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
    static char buffer[65536];
    struct epoll_event found[256];
    while (open > 0) {
        int count = epoll_wait(epoll, found, 256, 10000);
        if (count <= 0)
            return 5;
        for (int i = 0; i < count; i++) {
            if (recv(found[i].data.fd, buffer, sizeof buffer, MSG_DONTWAIT) != 0) {
                if (nanos > 0)
                    work(nanos);
                continue;
            }

            close(found[i].data.fd);
            open--;
        }
    }
    return 0;
}

static double nanos_of(struct timeval time) { return time.tv_sec * 1e9 + time.tv_usec * 1e3; }

int main(int count, char **args) {
    if (count != 6 && count != 7)
        return 2;
    int readers = atoi(args[1]), bytes = atoi(args[2]), rate = atoi(args[3]), seconds = atoi(args[4]);
    double updates = atof(args[5]);
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof server;
    int listener = socket(AF_INET, SOCK_STREAM, 0), *fds = calloc(readers, sizeof *fds), on = 1;
    if (bind(listener, (struct sockaddr *)&server, sizeof server) || listen(listener, readers)
        || getsockname(listener, (struct sockaddr *)&server, &length))
        return 4;
    if (fork() == 0)
        return read_all(readers, &server, count > 6 ? atoll(args[6]) : 0);
    for (int i = 0; i < readers; i++) {
        fds[i] = accept(listener, NULL, NULL);
        setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    char *piece = calloc(1, bytes);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    int64_t sent = 0, blocked = 0, due = now_nanos();
    for (int64_t turn = 0; turn < (int64_t)rate * seconds; turn++) {
        for (int i = 0; i < readers; i++) {
            if (send(fds[i], piece, bytes, MSG_DONTWAIT) == bytes)
                sent++;
            else
                blocked++;
        }
        due += 1000000000LL / rate;
        struct timespec until = {.tv_sec = due / 1000000000LL, .tv_nsec = due % 1000000000LL};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    getrusage(RUSAGE_SELF, &after);
    for (int i = 0; i < readers; i++)
        close(fds[i]);
    wait(NULL);
    struct rusage reading;
    getrusage(RUSAGE_CHILDREN, &reading);
    double user = nanos_of(after.ru_utime) - nanos_of(before.ru_utime), kernel = nanos_of(after.ru_stime) - nanos_of(before.ru_stime);
    double delivered = sent * updates;
    printf("bare loop: %.0f updates/s in %.0f sends/s of %d bytes, %.1f ns user + %.1f ns system an update, %lld sends blocked, "
           "its readers %.0f ns a send\n",
        delivered / seconds, (double)sent / seconds, bytes, user / delivered, kernel / delivered, (long long)blocked,
        (nanos_of(reading.ru_utime) + nanos_of(reading.ru_stime)) / sent);
    return 0;
}
