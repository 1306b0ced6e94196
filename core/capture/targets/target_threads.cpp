#include "core/capture/targets/target_threads.h"

#include <QThread>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace altiscope::capture {

void forEachTarget(std::size_t count, const std::function<void(std::size_t)>& work, std::size_t atOnce) {
    std::atomic<std::size_t> next = 0;
    const auto drain = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::unique_ptr<QThread>> threads;
    for (std::size_t i = 1; i < std::min(count, atOnce); ++i) {
        threads.emplace_back(QThread::create(drain));
        threads.back()->start();
    }
    drain();
    for (const auto& thread : threads) thread->wait();
}

}  // namespace altiscope::capture
