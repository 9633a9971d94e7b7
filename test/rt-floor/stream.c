// Copies messages into pieces and sends those to one reader, who looks at a byte of each: what a provider or TransportPerf costs without them.
// stream frameBytes messagesPerSecond pieceBytes seconds [certificate key]
//
// 0 messages a second are as many as can be. Ticks of a millisecond. With a certificate everything goes through TLS, by the library that .NET
// uses on Linux and without a layer between: as many full records as make a piece leave together.
#include "rt_floor.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#ifdef WITH_TLS
#include <openssl/ssl.h>
#else
typedef void SSL;
#endif

#define TEMPLATES 32
#define ITEMS 10000
#define RECORD_BYTES 16384
#define TICK_NANOS 1000000LL
#define WARM_UP_NANOS 1000000000LL

static char pieces[1 << 20];

static double busy_nanos(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e9 + (use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e3;
}

static void bind_to(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set);
}

#ifdef WITH_TLS
static SSL *open_tls(int fd, char **files) {
    SSL_CTX *context = SSL_CTX_new(files ? TLS_server_method() : TLS_client_method());
    if (files) {
        SSL_CTX_use_certificate_chain_file(context, files[0]);
        SSL_CTX_use_PrivateKey_file(context, files[1], SSL_FILETYPE_PEM);
    }
    SSL_CTX_set_read_ahead(context, 1);
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, fd);
    if ((files ? SSL_accept(ssl) : SSL_connect(ssl)) <= 0)
        exit(4);
    return ssl;
}

static int read_tls(SSL *ssl, char *buffer, int size) { return SSL_read(ssl, buffer, size); }

static int encrypt(SSL *ssl, const char *bytes, int count, char **encrypted) {
    static BIO *memory;
    if (!memory)
        SSL_set0_wbio(ssl, memory = BIO_new(BIO_s_mem()));
    (void)BIO_reset(memory);
    for (int at = 0; at < count;) {
        int written = SSL_write(ssl, bytes + at, count - at < RECORD_BYTES ? count - at : RECORD_BYTES);
        if (written <= 0)
            exit(5);
        at += written;
    }
    return (int)BIO_get_mem_data(memory, encrypted);
}
#else
static SSL *open_tls(int fd, char **files) { exit(2); }
static int read_tls(SSL *ssl, char *buffer, int size) { return -1; }
static int encrypt(SSL *ssl, const char *bytes, int count, char **encrypted) { return -1; }
#endif

static void read_all(struct sockaddr_in *server, int frame, int is_tls) {
    static char buffer[RECORD_BYTES * 4];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)server, sizeof *server))
        exit(4);
    SSL *ssl = is_tls ? open_tls(fd, NULL) : NULL;
    int64_t bytes = 0;
    volatile char seen;
    double before = busy_nanos();
    for (int count; (count = ssl ? read_tls(ssl, buffer, sizeof buffer) : (int)read(fd, buffer, sizeof buffer)) > 0; bytes += count) {
        for (int at = 0; at + frame <= count; at += frame)
            seen = buffer[at + 1];
    }
    printf(" + %.1f ns\n", (busy_nanos() - before) * frame / bytes);
    exit(0);
}

static void send_all(int fd, const char *bytes, int count) {
    for (int at = 0; at < count;) {
        ssize_t sent = write(fd, bytes + at, count - at);
        if (sent <= 0)
            exit(5);
        at += (int)sent;
    }
}

// One tick's messages, as those that were encoded ahead: copied, with their stream id and the head of their frame.
static void send_tick(int fd, SSL *ssl, int64_t messages, int frame, int piece) {
    static char templates[TEMPLATES][RECORD_BYTES];
    static uint32_t ids[ITEMS], item, turn;
    int at = 0;
    while (messages > 0) {
        memcpy(pieces + at, templates[turn % TEMPLATES], frame);
        pieces[at] = (char)(frame >> 8);
        pieces[at + 1] = (char)frame;
        pieces[at + 2] = 2;
        uint32_t id = htonl(ids[item] + item);
        memcpy(pieces + at + 7, &id, sizeof id);
        if (++item == ITEMS) {
            item = 0;
            turn++;
        }
        at += frame;
        messages--;
        if (at + frame <= piece && messages > 0)
            continue;
        char *encrypted = pieces;
        int count = ssl ? encrypt(ssl, pieces, at, &encrypted) : at;
        send_all(fd, encrypted, count);
        at = 0;
    }
}

int main(int count, char **args) {
    if (count != 5 && count != 7)
        return 2;
    int frame = atoi(args[1]), piece = atoi(args[3]);
    int64_t rate = atoll(args[2]), nanos = atoll(args[4]) * 1000000000LL;
    int is_tls = count == 7, on = 1;
    if (frame < 12 || frame > RECORD_BYTES || piece < frame || piece > (int)sizeof pieces)
        return 2;
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof server;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&server, sizeof server) || listen(listener, 1)
        || getsockname(listener, (struct sockaddr *)&server, &length))
        return 4;
    if (fork() == 0) {
        bind_to(1);
        read_all(&server, frame, is_tls);
    }
    bind_to(0);
    int fd = accept(listener, NULL, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SSL *ssl = is_tls ? open_tls(fd, args + 5) : NULL;
    int64_t begin = now_nanos(), due = begin, sent = 0;
    double before = 0;
    for (int is_warm = 0;;) {
        int64_t now = now_nanos();
        if (!is_warm && now - begin > WARM_UP_NANOS) {
            is_warm = 1;
            begin = now;
            sent = 0;
            before = busy_nanos();
        }
        if (is_warm && now - begin > nanos)
            break;
        int64_t messages = rate > 0 ? rate / 1000 : piece / frame;
        send_tick(fd, ssl, messages, frame, piece);
        sent += messages;
        if (rate == 0)
            continue;
        due += TICK_NANOS;
        struct timespec until = {.tv_sec = due / 1000000000LL, .tv_nsec = due % 1000000000LL};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    double busy = (busy_nanos() - before) / sent;
    printf("%s, %d bytes in pieces of %d: %.1f million/s, %.1f", is_tls ? "TLS" : "plain", frame, piece,
        sent * 1e3 / (double)(now_nanos() - begin), busy);
    fflush(stdout);
    shutdown(fd, SHUT_WR);
    wait(NULL);
    return 0;
}
