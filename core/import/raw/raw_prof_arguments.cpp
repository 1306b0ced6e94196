#include "core/import/raw/raw_prof_arguments.h"

#include "core/import/raw/raw_argument_text.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t kRawNoCount = 0xffffffff;

std::string_view rawMode(std::uint32_t type, std::string_view typeName) {
    static constexpr std::string_view kClasses[] = {"",           "ACL_OP",   "ACL_MODEL",   "ACL_RTS",
                                                    "ACL_OTHERS", "ACL_NN",   "ACL_ASCENDC", "HOST_HCCL",
                                                    "",           "ACL_DVPP", "ACL_GRAPH",   "ACL_ATB"};
    const std::uint32_t number = type >> 16;
    return number < std::size(kClasses) && !kClasses[number].empty() ? kClasses[number] : typeName;
}

}  // namespace

void writeRawCall(const RawProfRecords& prof, std::uint64_t number, TextBuffer& out) {
    const auto place = placeWithNumber(prof.calls, number);
    if (!place) return out.add("{}");
    const RawCall& call = prof.host.calls[*place];
    std::string unknownType, unknownItem;
    const std::string_view type = prof.host.texts.type(call.level, call.type, unknownType);
    const bool isAcl = call.level == kRawAcl;
    RawArgumentText object(out);
    object.number("Thread Id", call.thread);
    object.text("Mode", isAcl ? rawMode(call.type, type) : type);
    object.text("level", rawLevelName(call.level));
    object.text("id", isAcl ? type : "0");
    object.text("item_id", call.item == 0 ? "0" : prof.host.texts.text(call.item, unknownItem));
    object.number("connection_id", prof.firstConnection + static_cast<std::int64_t>(*place));
    object.end();
}

void writeRawTask(const RawProfRecords& prof, const RawProfRecords::Device& device, std::uint64_t number,
                  TextBuffer& out) {
    const auto place = placeWithNumber(device.byNumber, number);
    if (!place) return out.add("{}");
    const RawJoinedTask& joined = device.joined.tasks[*place];
    const RawDeviceTask& task = device.tasks[joined.place];
    const RawHostTask* host = joined.host < 0 ? nullptr : &prof.host.tasks[static_cast<std::size_t>(joined.host)];
    const RawOp* op = host != nullptr && host->op >= 0 ? &prof.host.ops[static_cast<std::size_t>(host->op)] : nullptr;
    std::string unknown;
    const std::string_view hostType =
        host == nullptr ? std::string_view() : prof.host.texts.type(kRawRuntime, host->type, unknown);
    const bool saysDevice =
        host == nullptr || hostType == "FFTS_PLUS" || hostType == "UNKNOWN" || hostType == "MEMCPY_ASYNC";
    RawArgumentText object(out);
    object.number("Model Id", host == nullptr ? kRawNoModel : host->model);
    if (op != nullptr && op->hasCore) object.text("Task Type", rawCoreName(op->core));
    else object.text("Task Type", saysDevice ? rawDeviceTypeName(task) : hostType);
    object.number("Physic Stream Id", task.stream);
    object.number("Task Id", task.task);
    object.number("Batch Id", task.batch);
    object.number("Subtask Id", task.context);
    // The vendor's program has all ones where nothing launched the task.
    const std::int64_t connection = host == nullptr ? -1 : prof.host.connectionOf(*host, prof.firstConnection);
    object.number("connection_id", static_cast<std::uint64_t>(connection));
    if (hostType == "MEMCPY_ASYNC" && prof.host.hasCopies) {
        const RawCopy copy = host->copy == kRawNoCopy ? RawCopy{} : prof.host.copies[host->copy];
        const RawDeviceTimes times(device.settings, std::span(&task, 1));
        const double duration =
            times.isExact() ? static_cast<double>(joined.end - joined.begin) : times.real(task).length;
        object.number("size(B)", copy.bytes);
        object.real("bandwidth(GB/s)", duration <= 0 ? 0.0 : static_cast<double>(copy.bytes) / duration);
        object.text("operation", rawCopyDirection(copy.direction));
    }
    object.end();
}

void writeRawPart(const RawProfRecords& prof, const RawProfRecords::Device& device, std::uint64_t number,
                  TextBuffer& out) {
    if (number >= device.drawn.parts.size()) return out.add("{}");
    const RawCollectiveOrder::Part& drawn = device.drawn.parts[number];
    const RawPartRun& run = device.joined.collectives[drawn.run].parts[drawn.part];
    const auto info = static_cast<std::size_t>(prof.host.collectiveParts[run.part].info);
    const RawHcclTask& task = prof.host.hcclTasks[info];
    const auto joined = placeWithNumber(device.byNumber, run.number);
    RawArgumentText object(out);
    object.numberInQuotes("notify_id", task.notify);
    object.real("duration estimated(us)", task.estimate);
    std::uint32_t model = kRawNoModel;
    if (joined) {
        const RawJoinedTask& one = device.joined.tasks[*joined];
        const RawDeviceTask& own = device.tasks[one.place];
        object.number("stream id", own.stream);
        object.number("task id", own.task);
        object.number("context id", own.context);
        if (one.host >= 0) model = prof.host.tasks[static_cast<std::size_t>(one.host)].model;
    }
    std::string unknown;
    object.text("task type", prof.host.texts.text(task.item, unknown));
    object.number("src rank", task.localRank);
    object.number("dst rank", task.remoteRank);
    object.text("transport type", rawTransportWord(task.transport));
    object.number("size(Byte)", task.bytes);
    object.text("data type", rawHcclType(task.dataType));
    object.text("link type", rawLinkName(task.link));
    object.real("bandwidth(GB/s)", run.rate);
    object.number("model id", model);
    object.end();
}

void writeRawCollective(const RawProfRecords& prof, const RawProfRecords::Device& device, std::uint64_t number,
                        TextBuffer& out) {
    if (number >= device.drawn.runs.size()) return out.add("{}");
    const RawCollectiveRun& run = device.joined.collectives[device.drawn.runs[number]];
    const RawCollective& collective = prof.host.collectives[run.collective];
    std::uint32_t model = kRawNoModel;
    if (const auto joined = placeWithNumber(device.byNumber, run.parts.front().number)) {
        const std::int64_t host = device.joined.tasks[*joined].host;
        if (host >= 0) model = prof.host.tasks[static_cast<std::size_t>(host)].model;
    }
    RawArgumentText object(out);
    object.number("rank_size", collective.rankSize);
    object.number("connection_id", prof.firstConnection + collective.call);
    object.number("model id", model);
    object.text("data_type", collective.hasInfo ? rawHcclType(collective.dataType) : "N/A");
    object.text("alg_type", collective.hasInfo ? prof.host.texts.text(collective.algorithm) : "N/A");
    // The vendor's program prints all ones where no record says it.
    object.number("count", collective.hasInfo ? collective.count : kRawNoCount);
    object.text("relay", (collective.flags & 1) != 0 ? "yes" : "no");
    object.text("retry", (collective.flags & 2) != 0 ? "yes" : "no");
    object.end();
}

}  // namespace altiscope::reader
