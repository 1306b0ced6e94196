#include "core/base/threads/thread_supply.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace altiscope {

namespace {

/// Makes up to `wanted` threads that all live at the same time. @return How many there were.
unsigned triedThreads(unsigned wanted) {
    std::mutex mutex;
    std::condition_variable changed;
    bool isOver = false;
    std::vector<std::thread> threads;
    try {
        threads.reserve(wanted);
        while (threads.size() < wanted) {
            threads.emplace_back([&] {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return isOver; });
            });
        }
    } catch (const std::system_error&) {  // no more threads
    } catch (const std::bad_alloc&) {     // no memory for another one
    }
    {
        const std::lock_guard lock(mutex);
        isOver = true;
    }
    changed.notify_all();
    for (std::thread& thread : threads) thread.join();
    return static_cast<unsigned>(threads.size());
}

}  // namespace

unsigned availableThreads(unsigned wanted) {
    static std::mutex mutex;
    static unsigned requested = 0, had = 0;
    const std::lock_guard lock(mutex);
    // Threads of an earlier query may live by now, and would be counted twice.
    if (wanted > requested && had == requested) {
        had = triedThreads(wanted);
        // Near a limit something is left for threads that work alone, and for other programs.
        static constexpr unsigned kSpared = 2;
        if (had < wanted) had -= std::min(had, kSpared);
        requested = wanted;
    }
    return std::min(wanted, had);
}

}  // namespace altiscope
