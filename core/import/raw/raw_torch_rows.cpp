#include "core/import/raw/raw_torch_import.h"
#include "core/import/raw/raw_torch_tree.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr auto kOperators = RowKind::Operator;
constexpr auto kSamples = RowKind::MemorySample;
constexpr auto kAllocations = RowKind::Allocation;

/// Lists stand one below the other in the text export.
std::string listLines(const std::string& list) {
    std::string lines;
    for (const char c : list) {
        lines += c;
        if (c == ';') lines += "\r\n";
    }
    return lines;
}

/// Ids of texts in the tables, made once for each.
class RowTexts {
public:
    RowTexts(const RawTorch& torch, RowBatch& batch) : m_torch(torch), m_batch(batch) {}
    void set(std::size_t column, std::uint32_t text, bool isList) {
        if (text == kRawNoText) return;
        auto& ids = isList ? m_lists : m_names;
        const auto [known, isNew] = ids.try_emplace(text, 0);
        if (isNew) {
            const std::string& words = m_torch.texts.text(text);
            known->second = m_batch.textId(isList ? listLines(words) : words);
        }
        m_batch.setTextId(column, known->second);
    }

private:
    const RawTorch& m_torch;
    RowBatch& m_batch;
    std::unordered_map<std::uint32_t, std::int64_t> m_names, m_lists;
};

void addOperatorRows(const RawTorch& torch, const RawTorchTree& tree, RowTablesBuilder& rows) {
    RowBatch batch = rows.batch(kOperators);
    RowTexts texts(torch, batch);
    std::unordered_map<std::uint64_t, std::int64_t> threads;
    for (const std::uint32_t number : tree.order()) {
        const RawTorchOp& op = torch.ops[number];
        if (torch.texts.text(op.name).starts_with("ProfilerStep#")) continue;
        batch.addRow();
        texts.set(rowColumn(kOperators, "name"), op.name, false);
        const auto [thread, isNew] = threads.try_emplace(op.thread, 0);
        if (isNew) thread->second = batch.textId(DbTracks::threadName(static_cast<std::int64_t>(op.thread)));
        batch.setTextId(rowColumn(kOperators, "thread"), thread->second);
        batch.setInteger(rowColumn(kOperators, "ts"), op.begin);
        batch.setInteger(rowColumn(kOperators, "dur"), op.end - op.begin);
        texts.set(rowColumn(kOperators, "input_shapes"), op.shapes, true);
        texts.set(rowColumn(kOperators, "input_types"), op.types, true);
        texts.set(rowColumn(kOperators, "call_stack"), op.stack, true);
    }
    rows.commit(batch);
}

void addSampleRows(const RawTorch& torch, RowTablesBuilder& rows) {
    static constexpr std::uint8_t kWorkspace = 1;
    RowBatch batch = rows.batch(kSamples);
    for (const RawMemoryUse& use : torch.memory) {
        static constexpr std::string_view kOfAllocator[] = {"PTA", "PTA+GE"}, kOfWorkspace[] = {"WORKSPACE"};
        const auto components = use.component == kWorkspace ? std::span<const std::string_view>(kOfWorkspace)
                                                            : std::span<const std::string_view>(kOfAllocator);
        for (const std::string_view component : components) {
            batch.addRow();
            batch.setText(rowColumn(kSamples, "component"), component);
            batch.setInteger(rowColumn(kSamples, "ts"), use.time);
            batch.setInteger(rowColumn(kSamples, "allocated"), use.allocated);
            batch.setInteger(rowColumn(kSamples, "reserved"), use.reserved);
            batch.setInteger(rowColumn(kSamples, "active"), use.active);
            batch.setInteger(rowColumn(kSamples, "stream"), use.stream);
            batch.setInteger(rowColumn(kSamples, "device_id"), use.device);
        }
    }
    rows.commit(batch);
}

/// Which operator allocated memory.
class Allocators {
public:
    Allocators(const RawTorch& torch, const RawTorchTree& tree) : m_torch(torch), m_tree(tree) {
        for (const std::uint32_t number : tree.order()) {
            const std::string& name = torch.texts.text(torch.ops[number].name);
            if (name != "empty_tensor" && name != "malloc_workspace") m_ops[torch.ops[number].thread].push_back(number);
        }
        for (std::size_t i = 0; i < torch.dequeues.size(); ++i)
            m_dequeues[{torch.dequeues[i].process, torch.dequeues[i].thread}].push_back(i);
        for (auto& [thread, bars] : m_dequeues)
            std::stable_sort(bars.begin(), bars.end(), [&](std::size_t a, std::size_t b) {
                return torch.dequeues[a].begin < torch.dequeues[b].begin;
            });
        for (std::size_t i = 0; i < torch.enqueues.size(); ++i)
            m_enqueues.try_emplace(torch.enqueues[i].correlation, i);
    }

    /// Its name; kRawNoText: nobody knows.
    std::uint32_t nameOf(const RawMemoryUse& use) const {
        if (const RawQueueBar* enqueue = enqueueOf(use)) {
            for (std::uint32_t op = lastBegun(enqueue->thread, enqueue->end); op != RawTorchTree::kNone;
                 op = m_tree.parent(op)) {
                const std::string& name = m_torch.texts.text(m_torch.ops[op].name);
                if (name.starts_with("aten") || name.starts_with("npu")) return m_torch.ops[op].name;
            }
            return kRawNoText;
        }
        std::uint32_t op = lastBegun(use.thread, use.time);
        while (op != RawTorchTree::kNone && m_torch.ops[op].end < use.time) op = m_tree.parent(op);
        return op == RawTorchTree::kNone ? kRawNoText : m_torch.ops[op].name;
    }

private:
    /// What put the work into the queue during which memory was used.
    const RawQueueBar* enqueueOf(const RawMemoryUse& use) const {
        const auto bars = m_dequeues.find({use.process, use.thread});
        if (bars == m_dequeues.end()) return nullptr;
        const auto behind =
            std::upper_bound(bars->second.begin(), bars->second.end(), use.time,
                             [this](std::int64_t time, std::size_t i) { return time < m_torch.dequeues[i].begin; });
        if (behind == bars->second.begin()) return nullptr;
        const RawQueueBar& dequeue = m_torch.dequeues[*(behind - 1)];
        if (dequeue.end <= use.time) return nullptr;
        const auto partner = m_enqueues.find(dequeue.correlation);
        return partner == m_enqueues.end() ? nullptr : &m_torch.enqueues[partner->second];
    }
    std::uint32_t lastBegun(std::uint64_t thread, std::int64_t time) const {
        const auto ops = m_ops.find(thread);
        if (ops == m_ops.end()) return RawTorchTree::kNone;
        const auto behind =
            std::upper_bound(ops->second.begin(), ops->second.end(), time,
                             [this](std::int64_t t, std::uint32_t op) { return t < m_torch.ops[op].begin; });
        return behind == ops->second.begin() ? RawTorchTree::kNone : *(behind - 1);
    }

    const RawTorch& m_torch;
    const RawTorchTree& m_tree;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_ops;  // by thread, by begin
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::size_t>> m_dequeues;
    std::unordered_map<std::uint64_t, std::size_t> m_enqueues;  // by correlation
};

/// From an allocation to the release of its memory and of its block.
struct Lifetime {
    const RawMemoryUse* uses[3] = {};  ///< By RawMemoryUse::event.
};

bool isSameBlock(const RawMemoryUse& a, const RawMemoryUse& b) {
    return a.process == b.process && a.device == b.device && a.pointer == b.pointer;
}

std::vector<Lifetime> lifetimes(const RawTorch& torch) {
    std::vector<const RawMemoryUse*> uses;
    for (const RawMemoryUse& use : torch.memory) {
        if (use.allocator == 0) uses.push_back(&use);
    }
    // By time already.
    std::stable_sort(uses.begin(), uses.end(), [](const RawMemoryUse* a, const RawMemoryUse* b) {
        return std::tie(a->process, a->device, a->pointer) < std::tie(b->process, b->device, b->pointer);
    });
    std::vector<Lifetime> found;
    for (std::size_t i = 0; i < uses.size();) {
        const RawMemoryUse& first = *uses[i++];
        if (first.event != 0) continue;
        Lifetime& life = found.emplace_back();
        life.uses[0] = &first;
        for (; i < uses.size() && isSameBlock(*uses[i], first); ++i) {
            const RawMemoryUse& next = *uses[i];
            if (next.event >= std::size(life.uses) || life.uses[next.event] != nullptr) break;
            life.uses[next.event] = &next;
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Lifetime& a, const Lifetime& b) { return a.uses[0]->time < b.uses[0]->time; });
    return found;
}

void addAllocationRows(const RawTorch& torch, const RawTorchTree& tree, RowTablesBuilder& rows) {
    const Allocators allocators(torch, tree);
    RowBatch batch = rows.batch(kAllocations);
    RowTexts texts(torch, batch);
    for (const Lifetime& life : lifetimes(torch)) {
        const RawMemoryUse &allocated = *life.uses[0], *released = life.uses[1], *freed = life.uses[2];
        batch.addRow();
        texts.set(rowColumn(kAllocations, "name"), allocators.nameOf(allocated), false);
        batch.setInteger(rowColumn(kAllocations, "size"), allocated.bytes);
        batch.setInteger(rowColumn(kAllocations, "alloc_ts"), allocated.time);
        batch.setInteger(rowColumn(kAllocations, "alloc_allocated"), allocated.allocated);
        batch.setInteger(rowColumn(kAllocations, "alloc_reserved"), allocated.reserved);
        batch.setInteger(rowColumn(kAllocations, "alloc_active"), allocated.active);
        batch.setInteger(rowColumn(kAllocations, "stream"), allocated.stream);
        batch.setInteger(rowColumn(kAllocations, "device_id"), allocated.device);
        if (released != nullptr) batch.setInteger(rowColumn(kAllocations, "release_ts"), released->time);
        if (freed != nullptr) batch.setInteger(rowColumn(kAllocations, "active_release_ts"), freed->time);
        const RawMemoryUse* end = released != nullptr ? released : freed;
        if (end == nullptr) continue;
        batch.setInteger(rowColumn(kAllocations, "release_allocated"), end->allocated);
        batch.setInteger(rowColumn(kAllocations, "release_reserved"), end->reserved);
        batch.setInteger(rowColumn(kAllocations, "release_active"), end->active);
    }
    rows.commit(batch);
}

}  // namespace

void addRawTorchRows(const RawTorch& torch, RowTablesBuilder& rows) {
    const RawTorchTree tree(torch);
    addOperatorRows(torch, tree, rows);
    addSampleRows(torch, rows);
    addAllocationRows(torch, tree, rows);
}

}  // namespace altiscope::reader
