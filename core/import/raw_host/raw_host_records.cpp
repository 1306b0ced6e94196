#include "core/import/raw_host/raw_host_records.h"

#include "core/base/threads/parallel.h"
#include "core/import/raw_host/raw_call_tree.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kTensorBytes = 44;

const RawFileSeries* seriesOf(const RawFiles& files, std::string_view stem, bool isAging) {
    for (const RawFileSeries& series : files.host) {
        if (series.stem == stem && series.isAging == isAging) return &series;
    }
    return nullptr;
}

template <const RawLayout& layout>
std::size_t roomForHost(const RawFiles& files, std::string_view stem) {
    std::size_t room = 0;
    for (const bool isAging : {false, true}) {
        if (const RawFileSeries* series = seriesOf(files, stem, isAging)) room += roomForRaw(*series, layout.size);
    }
    return room;
}

template <const RawLayout& layout, class Take>
void eachHostRecord(const RawFiles& files, std::string_view stem, RawContext& context, const Take& take) {
    std::uint64_t before = 0;
    for (const bool isAging : {false, true}) {
        const RawFileSeries* series = seriesOf(files, stem, isAging);
        if (series == nullptr) continue;
        std::uint64_t next = before;
        eachRawRecord(*series, layout.size, kRawHostMark, context, [&](const char* bytes, std::uint64_t number) {
            next = before + number + 1;
            const RawRecord<layout> record(bytes);
            if constexpr (std::is_invocable_v<const Take&, const RawRecord<layout>&, std::uint64_t, bool>)
                take(record, before + number, isAging);
            else take(record, before + number);
        });
        before = next;
    }
}

class HostRecordReader {
public:
    HostRecordReader(const RawFiles& files, RawHost& host) : m_files(files), m_host(host) {}

    RawHostRecords read(RawContext& context) {
        // Series of files are apart from each other.
        const std::function<void(RawContext&)> readers[] = {
            [this](RawContext& own) { readCalls(own); },
            [this](RawContext& own) { readTensors(own); },
            [this](RawContext& own) { readTracks(own); },
            [this](RawContext& own) { readDescriptions(own); },
            [this](RawContext& own) { readHccl(own); },
            [this](RawContext& own) { readCopies(own); },
            [this](RawContext& own) { m_host.texts.read(m_files, own); }};
        std::array<Diagnostics, std::size(readers)> found;
        parallelFor(std::size(readers), [&](std::size_t i) {
            RawContext own{found[i], context.progress, context.cancel};
            readers[i](own);
        });
        for (const Diagnostics& one : found) context.diagnostics.merge(one);
        return std::move(m_records);
    }

private:
    void readCalls(RawContext& context);
    void readDescriptions(RawContext& context);
    void readTensors(RawContext& context);
    void readHccl(RawContext& context);
    void readTracks(RawContext& context);
    void readCopies(RawContext& context);

    const RawFiles& m_files;
    RawHost& m_host;
    RawHostRecords m_records;
};

void HostRecordReader::readCalls(RawContext& context) {
    static constexpr std::uint64_t kEvent = ~std::uint64_t{0};
    using Key = std::tuple<std::uint16_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;
    std::map<Key, RawCall> open;
    m_host.calls.reserve(roomForHost<kRawCall>(m_files, "api_event.data"));
    eachHostRecord<kRawCall>(m_files, "api_event.data", context, [&](const auto& record, std::uint64_t number) {
        RawCall call;
        call.begin = record.template get<"begin">();
        call.end = record.template get<"end">();
        call.item = record.template get<"item">();
        call.type = record.template get<"type">();
        call.thread = record.template get<"thread">();
        call.request = record.template get<"request">();
        call.level = record.template get<"level">();
        call.number = number;
        if (call.end == kEvent) {
            const Key key{call.level, call.type, call.thread, call.request, call.item};
            const auto first = open.find(key);
            if (first == open.end()) {
                open.emplace(key, call);
                return;
            }
            call.end = call.begin;
            call.begin = first->second.begin;
            call.number = first->second.number;
            open.erase(first);
        }
        m_host.calls.push_back(call);
    });
    if (!open.empty())
        context.diagnostics.add("raw.unpaired", Severity::Lost, m_files.hostName + "/data", {}, {{"what", "api_event"}},
                                open.size());
    sortRawCalls(m_host.calls, context.cancel);
}

void HostRecordReader::readDescriptions(RawContext& context) {
    m_records.basics.reserve(roomForHost<kRawNodeInfo>(m_files, "compact.node_basic_info"));
    eachHostRecord<kRawNodeInfo>(
        m_files, "compact.node_basic_info", context, [&](const auto& record, std::uint64_t, bool isAging) {
            m_records.basics.push_back({record.template get<"time">(), record.template get<"op_name">(),
                                        record.template get<"op_type">(), record.template get<"thread">(),
                                        record.template get<"task_type">(), record.template get<"blocks">(), isAging,
                                        (record.template get<"flags">() & 1) != 0});
        });
    eachHostRecord<kRawNodeAttribute>(
        m_files, "compact.node_attr_info", context, [&](const auto& record, std::uint64_t) {
            m_records.attributes.push_back({record.template get<"time">(), record.template get<"op_name">(),
                                            record.template get<"text">(), record.template get<"thread">()});
        });
    eachHostRecord<kRawContexts>(
        m_files, "additional.context_id_info", context, [&](const auto& record, std::uint64_t) {
            const std::uint16_t level = record.template get<"level">();
            if (level != kRawNode && level != kRawCommunication) return;
            static constexpr std::size_t kMax = 55;
            RawHostRecords::Contexts contexts{
                record.template get<"time">(), record.template get<"op_name">(), record.template get<"thread">(), {}};
            for (std::size_t i = 0; i < std::min<std::size_t>(record.template get<"count">(), kMax); ++i)
                contexts.ids.push_back(record.template at<"ids">(i));
            (level == kRawNode ? m_records.contexts : m_records.hcclContexts).push_back(std::move(contexts));
        });
}

void HostRecordReader::readTensors(RawContext& context) {
    m_records.tensors.reserve(roomForHost<kRawTensors>(m_files, "additional.tensor_info"));
    eachHostRecord<kRawTensors>(m_files, "additional.tensor_info", context, [&](const auto& record, std::uint64_t) {
        static constexpr std::size_t kMax = 5;
        const std::size_t count = std::min<std::size_t>(record.template get<"count">(), kMax);
        m_records.tensors.push_back(
            {record.template get<"time">(), record.template get<"op_name">(), record.template get<"thread">(),
             m_records.tensorLists.number(record.template bytes<"tensors">(count * kTensorBytes))});
    });
}

void HostRecordReader::readHccl(RawContext& context) {
    m_records.hcclStamps.reserve(roomForHost<kRawHcclTask>(m_files, "additional.hccl_info"));
    m_host.hcclTasks.reserve(m_records.hcclStamps.capacity());
    eachHostRecord<kRawHcclOp>(m_files, "compact.hccl_op_info", context, [&](const auto& record, std::uint64_t) {
        m_records.hcclOps.push_back({record.template get<"time">(), record.template get<"algorithm">(),
                                     record.template get<"count">(), record.template get<"group">(),
                                     record.template get<"thread">(), record.template get<"flags">(),
                                     record.template get<"data_type">()});
    });
    eachHostRecord<kRawHcclTask>(m_files, "additional.hccl_info", context, [&](const auto& record, std::uint64_t) {
        m_records.hcclStamps.push_back({record.template get<"time">(), record.template get<"thread">()});
        RawHcclTask& task = m_host.hcclTasks.emplace_back();
        task.item = record.template get<"item">();
        task.group = record.template get<"group">();
        task.notify = record.template get<"notify">();
        task.bytes = record.template get<"bytes">();
        task.estimate = record.template get<"estimate">();
        task.localRank = record.template get<"local_rank">();
        task.remoteRank = record.template get<"remote_rank">();
        task.rankSize = record.template get<"rank_size">();
        task.plane = record.template get<"plane">();
        task.context = record.template get<"context">();
        task.dataType = record.template get<"data_type">();
        task.link = record.template get<"link">();
        task.transport = record.template get<"transport">();
        task.rdma = record.template get<"rdma">();
    });
}

void HostRecordReader::readTracks(RawContext& context) {
    m_records.tracks.reserve(roomForHost<kRawTaskTrack>(m_files, "compact.task_track"));
    eachHostRecord<kRawTaskTrack>(m_files, "compact.task_track", context, [&](const auto& record, std::uint64_t) {
        static constexpr std::uint32_t kWithBlocks = 40;
        m_records.tracks.push_back(
            {record.template get<"time">(), record.template get<"type">(), record.template get<"kernel_name">(),
             record.template get<"thread">(), static_cast<std::uint16_t>(record.template get<"device">() & 0xfff),
             record.template get<"stream">(), record.template get<"task">(), record.template get<"batch">(),
             record.template get<"blocks">(),
             std::uint32_t{record.template get<"blocks">()} * (record.template get<"mix_ratio">() & 7U),
             record.template get<"length">() == kWithBlocks});
    });
    numberRawTracks(m_records.tracks, context.cancel);
}

void HostRecordReader::readCopies(RawContext& context) {
    eachHostRecord<kRawMemoryCopy>(m_files, "compact.memcpy_info", context, [&](const auto& record, std::uint64_t) {
        m_records.copies.push_back({record.template get<"time">(), record.template get<"bytes">(),
                                    record.template get<"most">(), record.template get<"thread">(),
                                    record.template get<"direction">()});
    });
}

}  // namespace

bool rawHasExpandedStreams(const RawFiles& files, RawContext& context) {
    bool isExpanded = false;
    eachHostRecord<kRawStreamForm>(files, "compact.expand_stream_spec", context,
                                   [&](const auto& record, std::uint64_t) {
                                       isExpanded = isExpanded || record.template get<"isExpanded">() == 1;
                                   });
    return isExpanded;
}

RawHostRecords readRawHostRecords(const RawFiles& files, RawHost& host, RawContext& context) {
    return HostRecordReader(files, host).read(context);
}

}  // namespace altiscope::reader
