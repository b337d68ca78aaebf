// peer: name = toxcore
// peer: debian = libtoxcore-dev libtoxcore2 libvpx7 libopus0 libsodium23
// peer: libraries = -ltoxcore
// peer: work = trips messages file group idle
// peer: beside = chat in memory
// peer: encrypts = yes
// peer: stores = no
// peer: confirms = yes, but not in conferences
// peer: serverless = yes, but it needs a known node to begin with
// peer: relays = TCP relays, no mesh
// peer: confirmation = Tox's read receipts; in a conference, which has none, the driver counts at each receiver
//
// One thread calls tox_iterate; it waits for the UDP socket itself, so that no datagram waits for the next interval.

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <tox/tox.h>
#include <unistd.h>

#include "driver.h"

enum { PORT = 33445, MOST_FRIENDS = 64, MOST_BYTES = 1300, WINDOW = 4096, GROUP_WINDOW = 256, EVERY = 32 };
/// The first byte of a message: count it, or count it and answer.
static const uint8_t COUNT = '.', ASK = '?', ANSWER = '!';
/// The first byte of the packet by which a receiver of a conference says how many messages it has.
static const uint8_t COUNTED = 170;

static Tox *tox;
static struct pollfd sockets[2];
static int is_sender;
static long friends, online;
static uint32_t conference = UINT32_MAX;
static long answers, receipts;
static long counts[MOST_FRIENDS];
static FILE *file;
static int file_done;

// MARK: - Events

static void on_request(Tox *own, const uint8_t *key, const uint8_t *text, size_t length, void *user) {
    (void)text, (void)length, (void)user;
    tox_friend_add_norequest(own, key, NULL);
}

static void on_status(Tox *own, uint32_t friend, Tox_Connection status, void *user) {
    (void)own, (void)friend, (void)user;
    online += status != TOX_CONNECTION_NONE ? 1 : -1;
}

static void on_message(
    Tox *own, uint32_t friend, Tox_Message_Type type, const uint8_t *text, size_t length, void *user
) {
    (void)type, (void)user;
    if (text[0] == ANSWER) answers++;
    if (text[0] != ASK) return;
    uint8_t answer[MOST_BYTES];
    memcpy(answer, text, length);
    answer[0] = ANSWER;
    tox_friend_send_message(own, friend, TOX_MESSAGE_TYPE_NORMAL, answer, length, NULL);
}

static void on_receipt(Tox *own, uint32_t friend, uint32_t message, void *user) {
    (void)own, (void)friend, (void)message, (void)user;
    receipts++;
}

static void on_invitation(
    Tox *own, uint32_t friend, Tox_Conference_Type type, const uint8_t *cookie, size_t length, void *user
) {
    (void)type, (void)user;
    conference = tox_conference_join(own, friend, cookie, length, NULL);
}

/// Counts a conference's message at a receiver.
static void on_group_message(
    Tox *own, uint32_t number, uint32_t peer, Tox_Message_Type type, const uint8_t *text, size_t length, void *user
) {
    (void)number, (void)peer, (void)type, (void)length, (void)user;
    if (is_sender) return;
    counts[0]++;
    if (text[0] != ASK) return;
    uint8_t packet[1 + sizeof counts[0]] = {COUNTED};
    memcpy(packet + 1, &counts[0], sizeof counts[0]);
    tox_friend_send_lossless_packet(own, 0, packet, sizeof packet, NULL);
}

static void on_packet(Tox *own, uint32_t friend, const uint8_t *packet, size_t length, void *user) {
    (void)own, (void)user;
    if (length == 1 + sizeof counts[0] && friend < MOST_FRIENDS) memcpy(&counts[friend], packet + 1, sizeof counts[0]);
}

static void on_file(
    Tox *own, uint32_t friend, uint32_t number, uint32_t kind, uint64_t size, const uint8_t *name, size_t length,
    void *user
) {
    (void)kind, (void)size, (void)name, (void)length, (void)user;
    file = fopen("received", "wb");
    tox_file_control(own, friend, number, TOX_FILE_CONTROL_RESUME, NULL);
}

static void on_chunk(
    Tox *own, uint32_t friend, uint32_t number, uint64_t position, const uint8_t *data, size_t length, void *user
) {
    (void)own, (void)friend, (void)number, (void)position, (void)user;
    if (length > 0) fwrite(data, 1, length, file);
    else fclose(file);
}

static void on_chunk_request(
    Tox *own, uint32_t friend, uint32_t number, uint64_t position, size_t length, void *user
) {
    (void)user;
    if (length == 0) {
        file_done = 1;
        return;
    }
    uint8_t data[MOST_BYTES * 2];
    fseek(file, (long)position, SEEK_SET);
    length = fread(data, 1, length, file);
    tox_file_send_chunk(own, friend, number, position, data, length, NULL);
}

// MARK: - Node

/// Finds the socket of toxcore, which does not show it.
static int udp_socket(void) {
    for (int candidate = 3; candidate < 64; candidate++) {
        int type = 0;
        socklen_t size = sizeof type;
        if (getsockopt(candidate, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM) return candidate;
    }
    fail("toxcore has no UDP socket");
}

static void start(void) {
    struct Tox_Options *options = tox_options_new(NULL);
    tox_options_set_local_discovery_enabled(options, false);
    tox_options_set_start_port(options, PORT);
    tox_options_set_end_port(options, PORT);
    tox = tox_new(options, NULL);
    tox_options_free(options);
    if (!tox) fail("toxcore does not start: is UDP port %d taken?", PORT);
    tox_callback_friend_request(tox, on_request);
    tox_callback_friend_connection_status(tox, on_status);
    tox_callback_friend_message(tox, on_message);
    tox_callback_friend_read_receipt(tox, on_receipt);
    tox_callback_conference_invite(tox, on_invitation);
    tox_callback_conference_message(tox, on_group_message);
    tox_callback_friend_lossless_packet(tox, on_packet);
    tox_callback_file_recv(tox, on_file);
    tox_callback_file_recv_chunk(tox, on_chunk);
    tox_callback_file_chunk_request(tox, on_chunk_request);
    sockets[0] = (struct pollfd){.fd = udp_socket(), .events = POLLIN};
    sockets[1] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
}

/// Waits for a datagram, for the bench or for toxcore's next interval; then lets toxcore work.
static void step(void) {
    poll(sockets, 2, (int)tox_iteration_interval(tox));
    tox_iterate(tox, NULL);
}

static void step_until(double deadline, int (*is_met)(void), const char *wish) {
    while (!is_met()) {
        if (now() > deadline) fail("not in time: %s", wish);
        poll(sockets, 1, (int)tox_iteration_interval(tox));
        tox_iterate(tox, NULL);
    }
}

static void write_hexadecimal(const uint8_t *bytes, size_t count, char *text) {
    for (size_t index = 0; index < count; index++) sprintf(text + 2 * index, "%02X", bytes[index]);
}

static void receive(const char *address) {
    start();
    uint8_t own[TOX_ADDRESS_SIZE], key[TOX_PUBLIC_KEY_SIZE];
    char own_text[2 * sizeof own + 1], key_text[2 * sizeof key + 1];
    tox_self_get_address(tox, own);
    tox_self_get_dht_id(tox, key);
    write_hexadecimal(own, sizeof own, own_text);
    write_hexadecimal(key, sizeof key, key_text);
    reply("{\"ready\": \"%s:%s:%s\"}", address, own_text, key_text);
    while (!(sockets[1].revents & (POLLIN | POLLHUP))) step();
}

// MARK: - Sending

static long sent;
static long least_count(void) {
    long least = counts[0];
    for (long index = 1; index < friends; index++) least = counts[index] < least ? counts[index] : least;
    return least;
}

static int all_online(void) { return online >= friends; }
static int all_joined(void) { return tox_conference_peer_count(tox, conference, NULL) > (uint32_t)friends; }
static int all_confirmed(void) { return (friends > 1 ? least_count() : receipts) >= sent; }
static int is_answered(void) { return answers > 0; }

/// Sends a message to the friend, or to the conference if there are several; false if toxcore's queue is full.
static bool send_message(uint8_t first, size_t length) {
    uint8_t text[MOST_BYTES];
    memset(text, 'x', length);
    text[0] = first;
    bool is_sent = friends > 1
        ? tox_conference_send_message(tox, conference, TOX_MESSAGE_TYPE_NORMAL, text, length, NULL)
        : tox_friend_send_message(tox, 0, TOX_MESSAGE_TYPE_NORMAL, text, length, NULL) != 0;
    sent += is_sent;
    return is_sent;
}

/// Adds the receiver of a contact `ADDRESS:ID:KEY`.
static void add_friend(const char *contact) {
    char address[64], own_text[2 * TOX_ADDRESS_SIZE + 1], key_text[2 * TOX_PUBLIC_KEY_SIZE + 1];
    uint8_t own[TOX_ADDRESS_SIZE], key[TOX_PUBLIC_KEY_SIZE];
    if (sscanf(contact, "%63[^:]:%76[^:]:%64s", address, own_text, key_text) != 3) fail("no contact: %s", contact);
    for (size_t index = 0; index < sizeof own; index++) sscanf(own_text + 2 * index, "%2hhX", &own[index]);
    for (size_t index = 0; index < sizeof key; index++) sscanf(key_text + 2 * index, "%2hhX", &key[index]);
    tox_bootstrap(tox, address, PORT, key, NULL);
    if (tox_friend_add(tox, own, (const uint8_t *)"bench", 5, NULL) == UINT32_MAX) fail("no friend: %s", own_text);
    friends++;
}

static void greet(char **contacts) {
    double begin = now();
    start();
    for (; *contacts; contacts++) add_friend(*contacts);
    step_until(begin + 120, all_online, "all friends online");
    if (friends > 1) {
        conference = tox_conference_new(tox, NULL);
        for (long index = 0; index < friends; index++) tox_conference_invite(tox, (uint32_t)index, conference, NULL);
        step_until(begin + 120, all_joined, "all friends in the conference");
        // Members that connect to each other just then lose messages.
        for (double end = now() + 5; now() < end;) step();
    }
    double pause = friends > 1 ? 5 : 0;
    while (!send_message(ASK, 100)) step();
    step_until(begin + 120, all_confirmed, "the first message confirmed");
    reply("{\"milliseconds\": %.3f}", (now() - begin - pause) * 1e3);
}

static void measure_trips(size_t count) {
    double *times = calloc(count, sizeof *times);
    for (size_t index = 0; index < count; index++) {
        double begin = now();
        answers = 0;
        while (!send_message(ASK, 100)) step();
        step_until(begin + 30, is_answered, "an answer");
        times[index] = now() - begin;
    }
    reply_trips(times, count);
    free(times);
}

/// Sends for a time and waits for the confirmations; in a conference only those that all have count.
static void measure_messages(size_t length, double seconds) {
    step_until(now() + 30, all_confirmed, "earlier messages confirmed");
    long before = friends > 1 ? least_count() : receipts;
    long window = friends > 1 ? GROUP_WINDOW : WINDOW;
    double begin = now(), end = begin + seconds;
    while (now() < end) {
        long confirmed = friends > 1 ? least_count() : receipts;
        int is_full = sent - confirmed >= window;
        for (int burst = 0; !is_full && burst < EVERY; burst++) {
            is_full = !send_message(friends > 1 && burst == EVERY - 1 ? ASK : COUNT, length);
        }
        // While there is room toxcore works without a pause.
        poll(sockets, 1, is_full ? 1 : 0);
        tox_iterate(tox, NULL);
    }
    if (friends > 1) {
        while (!send_message(ASK, length)) step();
        for (double limit = now() + 10; !all_confirmed() && now() < limit;) step();
    } else {
        step_until(now() + 60, all_confirmed, "all messages confirmed");
    }
    reply_messages((friends > 1 ? least_count() : receipts) - before, now() - begin);
    sent = friends > 1 ? least_count() : sent;
}

static void measure_file(uint64_t size) {
    file = fopen("sent", "w+b");
    if (!file || ftruncate(fileno(file), (off_t)size) != 0) fail("no file of %llu B", (unsigned long long)size);
    file_done = 0;
    double begin = now();
    tox_file_send(tox, 0, TOX_FILE_KIND_DATA, size, NULL, (const uint8_t *)"file", 4, NULL);
    while (!file_done) {
        if (now() > begin + 300) fail("not in time: the file");
        poll(sockets, 1, 0);
        tox_iterate(tox, NULL);
    }
    reply("{\"seconds\": %.6f}", now() - begin);
    fclose(file);
}

int main(int count, char **arguments) {
    if (count < 4) fail("usage: send|receive ADDRESS FOLDER CONTACT...");
    if (chdir(arguments[3]) != 0) fail("no folder: %s", arguments[3]);
    is_sender = strcmp(arguments[1], "send") == 0;
    if (!is_sender) {
        receive(arguments[2]);
        return 0;
    }
    greet(arguments + 4);
    while (1) {
        while (!(sockets[1].revents & (POLLIN | POLLHUP))) step();
        sockets[1].revents = 0;
        struct command command = next_command();
        if (strcmp(command.name, "trips") == 0) measure_trips((size_t)command.first);
        if (strcmp(command.name, "messages") == 0) measure_messages((size_t)command.first, command.second);
        if (strcmp(command.name, "file") == 0) measure_file((uint64_t)command.first);
    }
}
