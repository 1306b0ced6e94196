#include "views/capture/runs/askpass_helper.h"

#include "core/base/files/write_all.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace altiscope {

namespace {

/// Longer answers are none.
constexpr std::size_t kMaxAnswer = 4096;
/// How often it looks whether its parent is still there.
constexpr int kLookMs = 500;

int connectedTo(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return -1;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return descriptor;
    ::close(descriptor);
    return -1;
}

/// Until there is something to read, or its end. False once nobody waits for the answer any more: OpenSSH reads our
/// output, and where it does not (a notice), it is our parent.
bool waitForReply(int descriptor, int output, pid_t parent) {
    while (true) {
        std::array<pollfd, 2> places{{{descriptor, POLLIN, 0}, {output, 0, 0}}};
        const int ready = ::poll(places.data(), places.size(), kLookMs);
        if (ready < 0 && errno != EINTR) return false;
        if (ready > 0 && places[1].revents != 0) return false;
        if (::getppid() != parent) return false;
        if (ready > 0) return true;
    }
}

/// "y" and the answer, to the end of the stream. @return Bytes; 0 for a refusal.
std::size_t readReply(int descriptor, int output, std::array<char, kMaxAnswer + 2>& reply) {
    const pid_t parent = ::getppid();
    std::size_t size = 0;
    while (size < reply.size() && waitForReply(descriptor, output, parent)) {
        const ssize_t got = ::read(descriptor, reply.data() + size, reply.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size += static_cast<std::size_t>(got);
    }
    return size > 0 && reply[0] == 'y' && size <= kMaxAnswer + 1 ? size : 0;
}

}  // namespace

int runAskpass(const std::string& socket, const std::string& prompt, const std::string& kind, int output) {
    const int descriptor = connectedTo(socket);
    if (descriptor < 0) return 1;
    std::string question = kind;
    question += '\0';
    question += prompt;
    question += '\0';
    std::array<char, kMaxAnswer + 2> reply{};
    std::size_t size = 0;
    // A question is short: it goes into the buffer of the socket as a whole.
    if (::send(descriptor, question.data(), question.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(question.size()))
        size = readReply(descriptor, output, reply);
    ::close(descriptor);
    bool good = size > 0;
    // After the "y" its place is free for the end of the line.
    if (good) {
        std::memmove(reply.data(), reply.data() + 1, size - 1);
        reply[size - 1] = '\n';
        good = writeAll(output, {reply.data(), size}) == 0;
    }
    ::explicit_bzero(reply.data(), reply.size());
    return good ? 0 : 1;
}

}  // namespace altiscope
