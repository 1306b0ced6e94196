#include "core/import/raw_host/raw_graph_memory.h"

#include "core/store/raw/graph_allocations.h"
#include "core/trace/raw/raw_layouts.h"

#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr auto kGraphSamples = RowKind::MemorySample, kGraphAllocations = RowKind::Allocation,
               kGraphPlans = RowKind::StaticMemory;

std::int64_t bytesCell(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes & INT64_MAX); }

}  // namespace

RawGraphMemory readRawGraphMemory(const RawFiles& files, const RawSettings& settings, const RawHost& host,
                                  RawContext& context) {
    RawGraphMemory memory;
    std::string unknown;
    for (const RawFileSeries& series : files.host) {
        if (series.stem == "additional.task_memory_info" && settings.hasClock) {
            const RawClock clock = settings.hostClock();
            RawProblemCounter badTimes("raw.bad_time");
            eachRawRecord(series, kRawGraphMemory.size, kRawHostMark, context,
                          [&](const char* bytes, std::uint64_t number) {
                              const RawRecord<kRawGraphMemory> record(bytes);
                              const auto time = clock.wall(record.get<"time">());
                              if (!time) return badTimes.add(number * kRawGraphMemory.size);
                              GraphMemoryRecord& one = memory.events.emplace_back();
                              one.time = *time;
                              one.address = record.get<"address">();
                              one.allocated = record.get<"allocated">();
                              one.reserved = record.get<"reserved">();
                              one.bytes = record.get<"bytes">();
                              one.process = settings.process;
                              one.thread = record.get<"thread">();
                              one.device = record.get<"device">();
                              one.op = host.texts.text(record.get<"op_name">(), unknown);
                              one.isNamed = host.texts.contains(record.get<"op_name">());
                          });
            badTimes.flush(series.slices.front().name, context.diagnostics);
        } else if (series.stem == "additional.static_op_mem") {
            eachRawRecord(series, kRawStaticMemory.size, kRawHostMark, context, [&](const char* bytes, std::uint64_t) {
                const RawRecord<kRawStaticMemory> record(bytes);
                StaticMemoryRecord& one = memory.planned.emplace_back();
                one.bytes = record.get<"bytes">();
                one.op = record.get<"op_name">() == 0 ? std::string("TOTAL")
                                                      : std::string(host.texts.text(record.get<"op_name">(), unknown));
                one.root = record.get<"root_op">() == 0
                               ? std::string("0")
                               : std::string(host.texts.text(record.get<"root_op">(), unknown));
                one.lifeBegin = record.get<"life_begin">();
                one.lifeEnd = record.get<"life_end">();
                one.graph = record.get<"graph">();
            });
        }
    }
    return memory;
}

void addRawGraphMemoryRows(const RawGraphMemory& memory, RowTablesBuilder& rows, const CancelToken& cancel) {
    static constexpr std::size_t kRowsPerLook = 4096;
    const auto isCancelled = [&](const RowBatch& batch) {
        return batch.size() % kRowsPerLook == 0 && cancel.cancelled();
    };
    if (!memory.planned.empty()) {
        RowBatch batch = rows.batch(kGraphPlans);
        for (const StaticMemoryRecord& one : memory.planned) {
            if (isCancelled(batch)) return;
            batch.addRow();
            batch.setText(fixedColumn(kGraphPlans, "graph"), std::to_string(one.graph));
            batch.setText(fixedColumn(kGraphPlans, "name"), one.op);
            batch.setInteger(fixedColumn(kGraphPlans, "node_start"), bytesCell(one.lifeBegin));
            batch.setInteger(fixedColumn(kGraphPlans, "node_end"), bytesCell(one.lifeEnd));
            batch.setInteger(fixedColumn(kGraphPlans, "size"), one.bytes);
        }
        rows.commit(batch);
    }
    if (memory.events.empty()) return;
    RowBatch samples = rows.batch(kGraphSamples);
    for (const GraphMemoryRecord& one : memory.events) {
        if (isCancelled(samples)) return;
        samples.addRow();
        samples.setText(fixedColumn(kGraphSamples, "component"), "GE");
        samples.setInteger(fixedColumn(kGraphSamples, "ts"), one.time);
        samples.setInteger(fixedColumn(kGraphSamples, "allocated"), bytesCell(one.allocated));
        samples.setInteger(fixedColumn(kGraphSamples, "reserved"), bytesCell(one.reserved));
        if (one.device <= kMaxDevice) samples.setInteger(fixedColumn(kGraphSamples, "device_id"), one.device);
    }
    rows.commit(samples);
    RowBatch batch = rows.batch(kGraphAllocations);
    for (const GraphAllocation& one : graphAllocations(memory.events)) {
        if (isCancelled(batch)) return;
        const GraphMemoryRecord& begin = *one.begin;
        batch.addRow();
        if (begin.isNamed) batch.setText(fixedColumn(kGraphAllocations, "name"), begin.op);
        batch.setInteger(fixedColumn(kGraphAllocations, "size"), begin.bytes);
        batch.setInteger(fixedColumn(kGraphAllocations, "alloc_ts"), begin.time);
        batch.setInteger(fixedColumn(kGraphAllocations, "alloc_allocated"), bytesCell(begin.allocated));
        batch.setInteger(fixedColumn(kGraphAllocations, "alloc_reserved"), bytesCell(begin.reserved));
        if (begin.device <= kMaxDevice) batch.setInteger(fixedColumn(kGraphAllocations, "device_id"), begin.device);
        if (one.end == nullptr) continue;
        batch.setInteger(fixedColumn(kGraphAllocations, "release_ts"), one.end->time);
        batch.setInteger(fixedColumn(kGraphAllocations, "release_allocated"), bytesCell(one.end->allocated));
        batch.setInteger(fixedColumn(kGraphAllocations, "release_reserved"), bytesCell(one.end->reserved));
    }
    rows.commit(batch);
}

}  // namespace altiscope::reader
