// peer: name = NATS
// peer: debian = nats-server libnats-dev libnats3.4 libprotobuf-c1
// peer: libraries = -lnats
// peer: work = trips messages file group idle
// peer: beside = bare mesh
// peer: encrypts = no, at most TLS to the server
// peer: stores = no, but JetStream does at the server
// peer: confirms = no, but a receiver can reply
// peer: serverless = no
// peer: relays = servers in a cluster
// peer: confirmation = the receiver's reply to every 32nd message, with the number of messages it has; the server runs beside the receiver, and its memory is not counted
//
// The server runs beside the first receiver, as its child. The library delivers messages on threads of its own.

#include <nats/nats.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "driver.h"

enum { MOST_RECEIVERS = 64, WINDOW = 4096, EVERY = 32, CHUNK = 512 * 1024, CHUNK_WINDOW = 8 };

/// The connection for many messages, which gathers them, and the one for lone messages, which sends each at once.
static natsConnection *bulk, *prompt;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static long counts[MOST_RECEIVERS];
static long receivers, sent;
static FILE *file;

static void check(natsStatus status, const char *wish) {
    if (status != NATS_OK) fail("%s: %s", wish, natsStatus_GetText(status));
}

/// Connects to a server that may be starting still.
static natsConnection *join(const char *address, bool sends_at_once) {
    char url[128];
    snprintf(url, sizeof url, "nats://%s:4222", address);
    natsOptions *options = NULL;
    natsConnection *connection = NULL;
    check(natsOptions_Create(&options), "options");
    check(natsOptions_SetURL(options, url), "the server's address");
    check(natsOptions_SetSendAsap(options, sends_at_once), "options");
    natsStatus status = NATS_ERR;
    for (int try = 0; try < 500 && status != NATS_OK; try++) {
        status = natsConnection_Connect(&connection, options);
        if (status != NATS_OK) usleep(10000);
    }
    check(status, "no connection to the server");
    natsOptions_Destroy(options);
    return connection;
}

// MARK: - Receiving

/// The place of this receiver among all.
static long own_place;

/// Counts a message and answers one that asks for the count; chunks go to a file.
static void on_message(natsConnection *own, natsSubscription *subscription, natsMsg *message, void *user) {
    (void)subscription, (void)user;
    counts[0]++;
    if (natsMsg_GetDataLength(message) > 64 * 1024) {
        if (!file) file = fopen("received", "wb");
        fwrite(natsMsg_GetData(message), 1, (size_t)natsMsg_GetDataLength(message), file);
    }
    if (natsMsg_GetData(message)[0] == '?') {
        char answer[100];
        memset(answer, ' ', sizeof answer);
        int length = snprintf(answer, sizeof answer, "%ld %ld", own_place, counts[0]);
        answer[length] = ' ';
        natsConnection_Publish(own, "answers", answer, sizeof answer);
    }
    natsMsg_Destroy(message);
}

/// Starts the server in a process that ends with this one.
static void start_server(const char *address) {
    if (fork() != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execlp("nats-server", "nats-server", "--addr", address, "--log", "server.log", NULL);
    fail("nats-server cannot be started");
}

static void receive(const char *address, const char *server) {
    if (!server) start_server(address);
    natsConnection *connection = join(server ? server : address, true);
    natsSubscription *subscription = NULL;
    check(natsConnection_Subscribe(&subscription, connection, "messages", on_message, NULL), "no subscription");
    check(natsConnection_Flush(connection), "no subscription");
    reply("{\"ready\": \"%s\"}", server ? server : address);
    while (getchar() != EOF) {}
}

// MARK: - Sending

static void on_answer(natsConnection *own, natsSubscription *subscription, natsMsg *message, void *user) {
    (void)own, (void)subscription, (void)user;
    long receiver = 0, count = 0;
    sscanf(natsMsg_GetData(message), "%ld %ld", &receiver, &count);
    pthread_mutex_lock(&lock);
    counts[receiver] = count;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
    natsMsg_Destroy(message);
}

static long least_count(void) {
    long least = counts[0];
    for (long index = 1; index < receivers; index++) least = counts[index] < least ? counts[index] : least;
    return least;
}

/// Waits until every receiver has this many messages.
static void wait_for(long count) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 60;
    pthread_mutex_lock(&lock);
    while (least_count() < count) {
        if (pthread_cond_timedwait(&change, &lock, &limit) != 0) fail("not in time: the receivers' replies");
    }
    pthread_mutex_unlock(&lock);
}

static void put(natsConnection *connection, char first, size_t length, char *data) {
    data[0] = first;
    check(natsConnection_Publish(connection, "messages", data, (int)length), "no publication");
    sent++;
}

static void greet(char **contacts) {
    double begin = now();
    char data[100] = "";
    prompt = join(contacts[0], true);
    bulk = join(contacts[0], false);
    while (contacts[receivers]) receivers++;
    natsSubscription *subscription = NULL;
    check(natsConnection_Subscribe(&subscription, prompt, "answers", on_answer, NULL), "no subscription");
    put(prompt, '?', sizeof data, data);
    wait_for(sent);
    reply("{\"milliseconds\": %.3f}", (now() - begin) * 1e3);
}

static void measure_trips(size_t count) {
    double *times = calloc(count, sizeof *times);
    char data[100] = "";
    for (size_t index = 0; index < count; index++) {
        double begin = now();
        put(prompt, '?', sizeof data, data);
        wait_for(sent);
        times[index] = now() - begin;
    }
    reply_trips(times, count);
    free(times);
}

static void measure_messages(size_t length, double seconds) {
    char *data = calloc(1, length);
    long before = sent;
    double begin = now();
    while (now() < begin + seconds) {
        for (int index = 1; index < EVERY; index++) put(bulk, '.', length, data);
        put(bulk, '?', length, data);
        wait_for(sent - WINDOW);
    }
    wait_for(sent);
    reply_messages(sent - before, now() - begin);
    free(data);
}

/// Sends a file in chunks, each confirmed; the receiver writes them to its disk.
static void measure_file(size_t length) {
    char *data = calloc(1, CHUNK);
    double begin = now();
    for (size_t position = 0; position < length; position += CHUNK) {
        put(prompt, '?', length - position < CHUNK ? length - position : CHUNK, data);
        wait_for(sent - CHUNK_WINDOW);
    }
    wait_for(sent);
    reply("{\"seconds\": %.6f}", now() - begin);
    free(data);
}

int main(int count, char **arguments) {
    if (count < 4) fail("usage: send|receive ADDRESS FOLDER CONTACT...");
    if (chdir(arguments[3]) != 0) fail("no folder: %s", arguments[3]);
    if (strcmp(arguments[1], "receive") == 0) {
        own_place = count - 4;
        receive(arguments[2], arguments[4]);
        return 0;
    }
    greet(arguments + 4);
    while (1) {
        struct command command = next_command();
        if (strcmp(command.name, "trips") == 0) measure_trips((size_t)command.first);
        if (strcmp(command.name, "messages") == 0) measure_messages((size_t)command.first, command.second);
        if (strcmp(command.name, "file") == 0) measure_file((size_t)command.first);
    }
}
