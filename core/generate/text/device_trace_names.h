#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/host_walk.h"
#include "core/generate/records/rank_tracks.h"
#include "core/generate/records/unit_record.h"

#include <string_view>

namespace altiscope::generate {

/// `Task Type` of a device task in the timeline. Kernels on vector cores are called AI_CORE there too; only the summary
/// files tell them apart.
std::string_view taskTypeOf(const RunProgram& program, const TaskSpec& task);

/// Name of a task that is no kernel.
std::string_view taskNameOf(const TaskSpec& task);

/// Identifier of a HostToDevice flow. Kernels get a 66-bit number that has nothing to do with the arguments,
/// collectives one made of the connection, copies the connection itself.
void addFlowId(const DeviceWork& work, TextBuffer& out);

/// How a runtime call is written.
struct ApiNames {
    std::string_view prefix;
    std::string_view mode;
    std::string_view level;
};

ApiNames namesOf(ApiKind kind);

/// True for the kinds that move data; the others wait or notify.
constexpr bool movesData(PlaneTaskKind kind) {
    return kind == PlaneTaskKind::Memcpy || kind == PlaneTaskKind::ReduceInline;
}

/// How a small operation of a collective is written.
struct PlaneNames {
    std::string_view name;          ///< On its plane.
    std::string_view hardware;      ///< On its stream.
    std::uint64_t notifyId = 0;     ///< 2^64-1: none.
    std::uint64_t destination = 0;  ///< Local rank, or 2^32-1: none.
    std::string_view transport, dataType, linkType;
};

PlaneNames namesOf(const PlaneTask& task);
/// `duration estimated(us)` of one.
double estimatedUs(const PlaneTask& task);

/// How a counter is written.
struct CounterNames {
    TraceProcess process;
    std::string_view before;  ///< Name up to the index.
    std::string_view after;   ///< Name after it.
    std::string_view key;
    unsigned decimals;  ///< 0: an integer.
};

CounterNames namesOf(CounterKind kind);

}  // namespace altiscope::generate
