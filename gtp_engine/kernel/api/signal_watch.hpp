// The end of a process that has become deaf to a signal.
//
// Python handles a signal between two steps of its main thread. If that thread does not come back
// from the kernel, as in a game whose `apply` never ends, or if a thread in the kernel has the GIL,
// no handler runs. But Python writes the number of a signal to a pipe at once. A thread that needs
// no interpreter reads it, and ends the process if the handler has not done so after a while.
#pragma once

#if __has_include(<unistd.h>) && !defined(__EMSCRIPTEN__)
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace patchpie {

// Reads the numbers of signals from a descriptor as long as the process lives. So many seconds
// after the given number the process ends with status 0.
inline void end_if_deaf(int descriptor, int number, double seconds) {
    std::thread([=] {
        for (unsigned char byte = 0; byte != number;) {
            auto const got = ::read(descriptor, &byte, 1);
            if (got == 0 || (got < 0 && errno != EINTR)) return;
            if (got < 0) byte = 0;
        }
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        ::_exit(0);
    }).detach();
}

}  // namespace patchpie

#else  // no pipes, or no threads: nothing is watched

namespace patchpie {

inline void end_if_deaf(int, int, double) {}

}  // namespace patchpie

#endif
