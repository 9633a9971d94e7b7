// Round trips over UDP on the loopback, from one program to another: the loop of latencyperf without its protocol.
// udp publish|echo port peerPort bytes rounds sleep|busy
#include "rt_floor.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

static struct sockaddr_in at(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return address;
}

static int busy;

// False when the peer is gone, or silent for 2 s.
static int receive(int fd, char *buffer, int size) {
    int64_t until = now_nanos() + 2000000000LL;
    for (;;) {
        if (!busy) {
            struct pollfd entry = {.fd = fd, .events = POLLIN};
            struct timespec limit = {.tv_nsec = 100000000};
            ppoll(&entry, 1, &limit, NULL);
        }
        ssize_t got = recv(fd, buffer, size, MSG_DONTWAIT);
        if (got >= 0)
            return (int)got;
        if ((errno != EAGAIN && errno != ECONNREFUSED) || now_nanos() > until)
            return -1;
    }
}

int main(int count, char **args) {
    if (count != 7)
        return 2;
    int publishes = !strcmp(args[1], "publish"), bytes = atoi(args[4]), rounds = atoi(args[5]);
    busy = !strcmp(args[6], "busy");
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own = at(atoi(args[2])), peer = at(atoi(args[3]));
    if (bind(fd, (struct sockaddr *)&own, sizeof own) || connect(fd, (struct sockaddr *)&peer, sizeof peer))
        return 4;
    char *buffer = calloc(1, 65536);
    if (!publishes) {
        for (int got; (got = receive(fd, buffer, 65536)) > 0;)
            send(fd, buffer, got, 0);
        return 0;
    }
    usleep(200000); // the echo is there by then
    int64_t *nanos = calloc(rounds, sizeof *nanos);
    for (int i = -WARM_UP_ROUNDS; i < rounds; i++) {
        int64_t sent = now_nanos();
        send(fd, buffer, bytes, 0);
        if (receive(fd, buffer, 65536) < 0)
            return 5;
        if (i >= 0)
            nanos[i] = now_nanos() - sent;
    }
    send(fd, buffer, 0, 0);
    print_figures(busy ? "udp busy" : "udp", bytes, nanos, rounds);
    return 0;
}
