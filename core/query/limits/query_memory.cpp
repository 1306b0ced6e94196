#include "core/query/limits/query_memory.h"

#include <sqlite3.h>

#include <mutex>

namespace altiscope {

namespace {

std::mutex& memoryMutex() {
    static std::mutex mutex;
    return mutex;
}
// Guarded by it.
int s_queries = 0;
sqlite3_int64 s_others = 0;

void setMemoryLimit() {
    const auto bytes = static_cast<sqlite3_int64>(QueryMemory::kBytes);
    sqlite3_hard_heap_limit64(s_queries == 0 ? 0 : s_others + s_queries * bytes);
}

}  // namespace

QueryMemory::QueryMemory() {
    const std::lock_guard lock(memoryMutex());
    if (s_queries++ == 0) s_others = 2 * sqlite3_memory_used();
    setMemoryLimit();
}

QueryMemory::~QueryMemory() {
    const std::lock_guard lock(memoryMutex());
    --s_queries;
    setMemoryLimit();
}

}  // namespace altiscope
