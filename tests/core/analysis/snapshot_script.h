#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/store/rows/row_builder.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::test {

/// Rows of a snapshot as the reader makes them, from what a program does with its memory. What is there before the
/// first entry is made by `older`.
class SnapshotScript {
public:
    struct Live {
        std::int64_t bytes = 0, segment = 0;
        std::optional<std::int64_t> made;
        std::string stack;
    };

    void segment(std::int64_t address, std::int64_t size, bool isExpandable = false, std::int64_t stream = 0) {
        m_segments[address] = size;
        m_reserved += size;
        event(isExpandable ? "segment_map" : "segment_alloc", address, size, stream, "");
    }
    /// From before the history: what it is stands with its blocks alone.
    void olderSegment(std::int64_t address, std::int64_t size, bool isExpandable, const std::string& pool,
                      std::int64_t stream = 0) {
        m_segments[address] = size;
        m_reserved += size;
        m_ends[address] = {stream, pool, isExpandable};
    }
    void older(std::int64_t address, std::int64_t bytes, const std::string& stack = {}) {
        m_live[address] = {bytes, segmentOf(address), std::nullopt, stack};
        m_allocated += bytes;
    }
    void alloc(std::int64_t address, std::int64_t bytes, const std::string& stack = {}, std::int64_t stream = 0) {
        m_live[address] = {bytes, segmentOf(address), m_events, stack};
        m_allocated += bytes;
        event("alloc", address, bytes, stream, stack);
    }
    void request(std::int64_t address) {
        m_allocated -= m_live.at(address).bytes;
        event("free_requested", address, m_live.at(address).bytes, 0, "");
    }
    void complete(std::int64_t address) {
        const Live live = m_live.at(address);
        m_past.push_back({address, live, m_events});
        event("free_completed", address, live.bytes, 0, "");
        m_live.erase(address);
    }
    void free(std::int64_t address) {
        request(address);
        complete(address);
    }
    /// An entry that changes nothing.
    void note(std::int64_t address) { event("annotate", address, 0, 0, ""); }
    /// A use of memory, as msMemScope records them.
    void access(std::int64_t address) { event("access", address, 8, 0, ""); }
    void outOfMemory(std::int64_t size, std::int64_t stream = 0, std::optional<std::int64_t> deviceFree = {}) {
        event("oom", std::nullopt, size, stream, "requested");
        if (deviceFree) m_batch.setInteger(fixedColumn(RowKind::SnapshotEvent, "device_free"), *deviceFree);
    }
    /// What record_function named; nullopt: not recorded.
    void range(const std::string& name, std::optional<std::int64_t> begin, std::optional<std::int64_t> end) {
        constexpr RowKind A = RowKind::SnapshotAnnotation;
        m_ranges.addRow();
        m_ranges.setText(fixedColumn(A, "name"), name);
        if (begin) m_ranges.setInteger(fixedColumn(A, "start_ts"), *begin);
        if (end) m_ranges.setInteger(fixedColumn(A, "end_ts"), *end);
    }
    /// Of the entries from here on; nullopt and an empty text: none.
    std::optional<std::int64_t> time;
    std::string annotation;

    std::int64_t events() const { return m_events; }
    const std::map<std::int64_t, Live>& live() const { return m_live; }

    std::shared_ptr<const RowTables> rows() {
        constexpr RowKind B = RowKind::SnapshotBlock;
        RowBatch blocks = m_builder.batch(B);
        const auto add = [&](std::int64_t address, std::optional<std::int64_t> size,
                             std::optional<std::int64_t> requested, const char* state, std::int64_t segment) {
            blocks.addRow();
            blocks.setInteger(fixedColumn(B, "device_id"), 0);
            blocks.setInteger(fixedColumn(B, "address"), address);
            if (size) blocks.setInteger(fixedColumn(B, "size"), *size);
            if (requested) blocks.setInteger(fixedColumn(B, "requested"), *requested);
            blocks.setText(fixedColumn(B, "state"), state);
            blocks.setInteger(fixedColumn(B, "segment_address"), segment);
            const auto end = m_ends.find(segment);
            if (end == m_ends.end()) return;
            blocks.setInteger(fixedColumn(B, "stream"), end->second.stream);
            blocks.setText(fixedColumn(B, "pool"), end->second.pool);
            blocks.setInteger(fixedColumn(B, "expandable"), end->second.isExpandable ? 1 : 0);
        };
        const auto addLife = [&](const Live& live) {
            if (live.made) blocks.setInteger(fixedColumn(B, "alloc_event"), *live.made);
            if (!live.stack.empty()) blocks.setText(fixedColumn(B, "stack"), live.stack);
        };
        for (const auto& [base, size] : m_segments) {
            std::int64_t at = base;
            for (const auto& [address, live] : m_live) {
                if (live.segment != base) continue;
                if (address > at) add(at, address - at, std::nullopt, "inactive", base);
                const std::int64_t rounded = (live.bytes + 511) / 512 * 512;
                add(address, rounded, live.bytes, "active_allocated", base);
                addLife(live);
                at = address + rounded;
            }
            if (at < base + size) add(at, base + size - at, std::nullopt, "inactive", base);
        }
        for (const Past& past : m_past) {
            add(past.address, std::nullopt, past.life.bytes, "freed", past.life.segment);
            addLife(past.life);
            blocks.setInteger(fixedColumn(B, "free_event"), past.freed);
        }
        m_builder.commit(m_batch);
        m_builder.commit(blocks);
        m_builder.commit(m_ranges);
        return m_builder.seal({}).value();
    }
    std::shared_ptr<const DeviceSnapshot> snapshot() { return deviceSnapshot(rows(), 0, nullptr, {}); }

private:
    struct Past {
        std::int64_t address = 0;
        Live life;
        std::int64_t freed = 0;
    };
    std::int64_t segmentOf(std::int64_t address) const {
        auto next = m_segments.upper_bound(address);
        return next == m_segments.begin() ? 0 : std::prev(next)->first;
    }
    void event(const char* action, std::optional<std::int64_t> address, std::int64_t size, std::int64_t stream,
               const std::string& stack) {
        constexpr RowKind E = RowKind::SnapshotEvent;
        m_batch.addRow();
        m_batch.setInteger(fixedColumn(E, "device_id"), 0);
        m_batch.setInteger(fixedColumn(E, "event_id"), m_events++);
        m_batch.setText(fixedColumn(E, "action"), action);
        if (address) m_batch.setInteger(fixedColumn(E, "address"), *address);
        m_batch.setInteger(fixedColumn(E, "size"), size);
        m_batch.setInteger(fixedColumn(E, "stream"), stream);
        m_batch.setInteger(fixedColumn(E, "allocated"), m_allocated);
        m_batch.setInteger(fixedColumn(E, "reserved"), m_reserved);
        if (!stack.empty()) m_batch.setText(fixedColumn(E, "stack"), stack);
        if (time) m_batch.setInteger(fixedColumn(E, "ts"), *time);
        if (!annotation.empty()) m_batch.setText(fixedColumn(E, "annotation"), annotation);
    }

    RowTablesBuilder m_builder;
    RowBatch m_batch = m_builder.batch(RowKind::SnapshotEvent);
    RowBatch m_ranges = m_builder.batch(RowKind::SnapshotAnnotation);
    struct End {
        std::int64_t stream = 0;
        std::string pool;
        bool isExpandable = false;
    };
    std::map<std::int64_t, std::int64_t> m_segments;
    std::map<std::int64_t, End> m_ends;  // by segment
    std::map<std::int64_t, Live> m_live;
    std::vector<Past> m_past;
    std::int64_t m_events = 0, m_allocated = 0, m_reserved = 0;
};

}  // namespace altiscope::test
