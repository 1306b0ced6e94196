#pragma once

#include "core/base/values/ids.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope {

/// Name of a track in a source: process and thread, or process and counter name.
struct ProvisionalTrackKey {
    std::string_view pid;     ///< Kept by the builder.
    std::string_view second;  ///< Thread id, or the counter's name.
    bool isCounter = false;
    bool isStack = false;  ///< Whether it shows the call stacks of the thread.
    /// Where several processes had the pid (splitReusedPids): the names of this one, and of its thread. Kept by the
    /// facts; empty: what the facts say of the pid.
    std::string_view process{}, thread{};
    bool isLater = false;  ///< And it is not the first one.
};

/// A value that a source may state more than once; the one at the highest position holds.
template <class T>
struct StatedFact {
    T value{};
    SourcePos pos;
    bool known() const { return pos.packed != 0; }
};

/// Names by the positions from which they hold.
using NameHistory = std::map<SourcePos, std::string>;

/// Facts of metadata events about processes and threads.
struct TrackFacts {
    struct Process {
        StatedFact<std::string> name, labels;
        StatedFact<std::int64_t> sort;
    };
    struct Thread {
        StatedFact<std::string> name;
        StatedFact<std::int64_t> sort;
    };
    std::map<std::string, Process, std::less<>> processes;          ///< By pid.
    std::map<std::pair<std::string, std::string>, Thread> threads;  ///< By pid and tid.
    /// All names of processes and threads that have several.
    std::map<std::string, NameHistory, std::less<>> processNames;
    std::map<std::pair<std::string, std::string>, NameHistory> threadNames;
};

}  // namespace altiscope
