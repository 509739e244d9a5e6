// The end of a process that has become deaf to a signal.
//
// Python handles a signal between two steps of its main thread. If that thread does not come back
// from the kernel, as in a game whose `apply` never ends, or if a thread in the kernel has the GIL,
// no handler runs. But Python writes the number of a signal to a pipe at once. A thread that needs
// no interpreter reads it, and ends the process if the handler has not done so after a while.
#pragma once

// What the process itself writes to the pipe.
//
// keeping -- it keeps results, and may take its time
// kept    -- it has kept them
namespace patchpie::signal_watch {
inline constexpr int keeping = 0, kept = 255;
}

#if __has_include(<unistd.h>) && !defined(__EMSCRIPTEN__)
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace patchpie {

// Reads a descriptor as long as the process lives. So many seconds after the number of the signal
// the process ends with the status, if it is still there; while it keeps results, that waits.
inline void end_if_deaf(int descriptor, int number, double seconds, int status) {
    using Clock = std::chrono::steady_clock;
    auto const grace = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(seconds));
    std::thread([=] {
        Clock::time_point end{};
        for (bool signaled = false, busy = false;;) {
            if (signaled && !busy) {
                auto const left =
                    std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
                pollfd readable{descriptor, POLLIN, 0};
                if (left <= 0) ::_exit(status);
                if (::poll(&readable, 1, static_cast<int>(left)) <= 0) continue;
            }
            unsigned char byte = 0;
            auto const got = ::read(descriptor, &byte, 1);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return;
            if (byte == signal_watch::keeping) {
                busy = true;
            } else if (byte == signal_watch::kept) {
                busy = false;
                end = Clock::now() + grace;
            } else if (byte == number && !signaled) {
                signaled = true;
                end = Clock::now() + grace;
            }
        }
    }).detach();
}

}  // namespace patchpie

#else  // no pipes, or no threads: nothing is watched

namespace patchpie {

inline void end_if_deaf(int, int, double, int) {}

}  // namespace patchpie

#endif
