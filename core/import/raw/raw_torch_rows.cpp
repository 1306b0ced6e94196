#include "core/base/columns/keyed_sort.h"
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
// Looked up while this is compiled: there are some for each cell.
consteval std::size_t rawOperatorColumn(std::string_view name) { return rowColumn(kOperators, name); }
consteval std::size_t rawSampleColumn(std::string_view name) { return rowColumn(kSamples, name); }
consteval std::size_t rawAllocationColumn(std::string_view name) { return rowColumn(kAllocations, name); }

/// Lists stand one below the other in the text export.
std::string listLines(const std::string& list) {
    std::string lines;
    for (const char c : list) {
        lines += c;
        if (c == ';') lines += "\r\n";
    }
    return lines;
}

constexpr std::size_t kRowsPerLook = 4096;

/// Ids of texts in the tables, made once for each.
class RowTexts {
public:
    RowTexts(const RawTorch& torch, RowBatch& batch)
        : m_torch(torch), m_batch(batch), m_names(torch.texts.size(), kNotYet), m_lists(torch.texts.size(), kNotYet) {}
    void set(std::size_t column, std::uint32_t text, bool isList) {
        if (text == kRawNoText) return;
        std::int64_t& id = (isList ? m_lists : m_names)[text];
        if (id == kNotYet) {
            const std::string& words = m_torch.texts.text(text);
            id = m_batch.textId(isList ? listLines(words) : words);
        }
        m_batch.setTextId(column, id);
    }

private:
    static constexpr std::int64_t kNotYet = -1;
    const RawTorch& m_torch;
    RowBatch& m_batch;
    std::vector<std::int64_t> m_names, m_lists;  // by text
};

/// By text: whether it is one that `isWanted`.
template <class IsWanted>
std::vector<bool> wantedTexts(const RawTorch& torch, const IsWanted& isWanted) {
    std::vector<bool> wanted(torch.texts.size());
    for (std::uint32_t text = 0; text < wanted.size(); ++text) wanted[text] = isWanted(torch.texts.text(text));
    return wanted;
}

/// Which operator allocated memory. Neighbouring queries are cheap where they have neighbouring results.
class Allocators {
public:
    Allocators(const RawTorch& torch, const RawTorchTree& tree, const RawQueuePartners& partners,
               const CancelToken& cancel)
        : m_torch(torch), m_tree(tree), m_partners(partners),
          m_callsMemory(wantedTexts(
              torch, [](std::string_view name) { return name == "empty_tensor" || name == "malloc_workspace"; })),
          m_isOfLibrary(wantedTexts(
              torch, [](std::string_view name) { return name.starts_with("aten") || name.starts_with("npu"); })) {
        for (const std::uint32_t number : tree.order()) {
            if (!m_callsMemory[torch.ops[number].name]) m_ops[torch.ops[number].thread].numbers.push_back(number);
        }
        const auto byBegin = sortedNumbers(
            torch.dequeues.size(), [&](std::size_t i) { return sortKeyOf(torch.dequeues[i].begin); }, cancel);
        for (const KeyedNumber& one : byBegin) {
            const RawQueueBar& bar = torch.dequeues[one.number];
            m_dequeues[{bar.process, bar.thread}].numbers.push_back(one.number);
        }
    }

    /// Its name; kRawNoText: not known.
    std::uint32_t nameOf(const RawMemoryUse& use) {
        if (const RawQueueBar* enqueue = enqueueOf(use)) {
            for (std::uint32_t op = lastBegun(enqueue->thread, enqueue->end); op != RawTorchTree::kNone;
                 op = m_tree.parent(op)) {
                if (m_isOfLibrary[m_torch.ops[op].name]) return m_torch.ops[op].name;
            }
            return kRawNoText;
        }
        std::uint32_t op = lastBegun(use.thread, use.time);
        while (op != RawTorchTree::kNone && m_torch.ops[op].end < use.time) op = m_tree.parent(op);
        return op == RawTorchTree::kNone ? kRawNoText : m_torch.ops[op].name;
    }

private:
    /// Numbers of items of one thread, by begin.
    struct OfThread {
        std::vector<std::uint32_t> numbers;
        std::size_t last = 0;  ///< How many had begun, when it was asked last.

        /// The last one that has begun at a time; kNone: none has.
        template <class Item>
        std::uint32_t lastBegun(const std::vector<Item>& items, std::int64_t time) {
            static constexpr int kNearby = 16;
            const auto hasBegun = [&](std::size_t place) { return items[numbers[place]].begin <= time; };
            if (last > 0 && !hasBegun(last - 1)) last = 0;
            for (int step = 0; last < numbers.size() && hasBegun(last); ++last) {
                if (step++ < kNearby && last > 0) continue;
                const auto after =
                    std::upper_bound(numbers.begin() + static_cast<std::ptrdiff_t>(last), numbers.end(), time,
                                     [&](std::int64_t t, std::uint32_t number) { return t < items[number].begin; });
                last = static_cast<std::size_t>(after - numbers.begin());
                break;
            }
            return last == 0 ? RawTorchTree::kNone : numbers[last - 1];
        }
    };

    /// The call that put the work into the queue during which memory was used.
    const RawQueueBar* enqueueOf(const RawMemoryUse& use) {
        const auto bars = m_dequeues.find({use.process, use.thread});
        if (bars == m_dequeues.end()) return nullptr;
        const std::uint32_t dequeue = bars->second.lastBegun(m_torch.dequeues, use.time);
        if (dequeue == RawTorchTree::kNone || m_torch.dequeues[dequeue].end <= use.time) return nullptr;
        const std::uint32_t partner = m_partners.enqueueOf[dequeue];
        return partner == RawQueuePartners::kNone ? nullptr : &m_torch.enqueues[partner];
    }
    std::uint32_t lastBegun(std::uint64_t thread, std::int64_t time) {
        const auto ops = m_ops.find(thread);
        return ops == m_ops.end() ? RawTorchTree::kNone : ops->second.lastBegun(m_torch.ops, time);
    }

    const RawTorch& m_torch;
    const RawTorchTree& m_tree;
    const RawQueuePartners& m_partners;
    const std::vector<bool> m_callsMemory, m_isOfLibrary;  // by name
    std::unordered_map<std::uint64_t, OfThread> m_ops;     // by thread
    std::map<std::pair<std::uint64_t, std::uint64_t>, OfThread> m_dequeues;
};

/// From an allocation to the release of its memory and of its block.
struct Lifetime {
    const RawMemoryUse* uses[3] = {};  ///< By RawMemoryUse::event.
};

bool isSameBlock(const RawMemoryUse& a, const RawMemoryUse& b) {
    return a.process == b.process && a.device == b.device && a.pointer == b.pointer;
}

/// By begin. @param lone  Gets how many records are of no allocation.
std::vector<Lifetime> lifetimes(const RawTorch& torch, const CancelToken& cancel, std::uint64_t& lone) {
    const std::vector<RawMemoryUse>& memory = torch.memory;
    // By time already; those of one block of one device of one process one after the other.
    std::vector<KeyedNumber> uses;
    uses.reserve(memory.size());
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory[i].allocator == 0) uses.push_back({sortKeyOf(memory[i].pointer), static_cast<std::uint32_t>(i)});
    }
    sortByKey(uses, cancel);
    for (KeyedNumber& one : uses) one.key = memory[one.number].device;
    sortByKey(uses, cancel);
    for (KeyedNumber& one : uses) one.key = memory[one.number].process;
    sortByKey(uses, cancel);
    std::vector<Lifetime> found;
    found.reserve(uses.size() / 2);
    for (std::size_t i = 0; i < uses.size() && (i % kRowsPerLook != 0 || !cancel.cancelled());) {
        const RawMemoryUse& first = memory[uses[i++].number];
        if (first.event != 0) {
            ++lone;
            continue;
        }
        Lifetime& life = found.emplace_back();
        life.uses[0] = &first;
        for (; i < uses.size() && isSameBlock(memory[uses[i].number], first); ++i) {
            const RawMemoryUse& next = memory[uses[i].number];
            if (next.event >= std::size(life.uses) || life.uses[next.event] != nullptr) break;
            life.uses[next.event] = &next;
        }
    }
    std::vector<KeyedNumber>().swap(uses);
    const auto byBegin = sortedNumbers(
        found.size(), [&](std::size_t i) { return sortKeyOf(found[i].uses[0]->time); }, cancel);
    std::vector<Lifetime> inOrder;
    inOrder.reserve(found.size());
    for (const KeyedNumber& one : byBegin) inOrder.push_back(found[one.number]);
    return inOrder;
}

/// Looks at totals of one allocator's memory, which change by what each record says: allocations by their bytes,
/// releases likewise, either when the memory is released or when its block is, and blocks in use when the block is.
/// The framework's use is part of the blocks in use, these of the reserved memory.
class MemoryTotals {
public:
    /// @return Whether a record goes on from the one before it.
    bool add(const RawMemoryUse& use) {
        static constexpr std::uint8_t kLastEvent = 2;
        const bool isNested = use.allocated <= use.active && use.active <= use.reserved;
        const auto [place, isFirst] = m_last.try_emplace({use.process, use.device}, &use);
        const RawMemoryUse& last = *std::exchange(place->second, &use);
        if (isFirst || !isNested || use.event > kLastEvent) return isNested && use.event <= kLastEvent;
        const auto grows = [&use](std::int64_t before, std::int64_t now) {
            return static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(before) ==
                   static_cast<std::uint64_t>(use.bytes);
        };
        const bool growsAllocated = grows(last.allocated, use.allocated), growsActive = grows(last.active, use.active);
        switch (use.event) {
        case 0: return growsAllocated && growsActive;
        case 1: return (growsAllocated || use.allocated == last.allocated) && use.active == last.active;
        default: return (growsAllocated || use.allocated == last.allocated) && growsActive;
        }
    }

private:
    std::map<std::pair<std::uint64_t, std::uint8_t>, const RawMemoryUse*> m_last;  // by process and device
};

}  // namespace

void addRawOperatorRows(const RawTorch& torch, const RawTorchTree& tree, RowTablesBuilder& rows,
                        const CancelToken& cancel) {
    RowBatch batch = rows.batch(kOperators);
    RowTexts texts(torch, batch);
    const std::vector<bool> isStep =
        wantedTexts(torch, [](std::string_view name) { return name.starts_with("ProfilerStep#"); });
    std::unordered_map<std::uint64_t, std::int64_t> threads;
    for (const std::uint32_t number : tree.order()) {
        const RawTorchOp& op = torch.ops[number];
        if (isStep[op.name]) continue;
        if (batch.size() % kRowsPerLook == 0 && cancel.cancelled()) return;
        batch.addRow();
        texts.set(rawOperatorColumn("name"), op.name, false);
        const auto [thread, isNew] = threads.try_emplace(op.thread, 0);
        if (isNew) thread->second = batch.textId(DbTracks::threadName(static_cast<std::int64_t>(op.thread)));
        batch.setTextId(rawOperatorColumn("thread"), thread->second);
        batch.setInteger(rawOperatorColumn("ts"), op.begin);
        batch.setInteger(rawOperatorColumn("dur"), op.end - op.begin);
        texts.set(rawOperatorColumn("input_shapes"), op.shapes, true);
        texts.set(rawOperatorColumn("input_types"), op.types, true);
        texts.set(rawOperatorColumn("call_stack"), op.stack, true);
    }
    rows.commit(batch);
}

void addRawSampleRows(const RawTorch& torch, RowTablesBuilder& rows, const RawTorchProblems& problems,
                      const CancelToken& cancel) {
    static constexpr std::uint8_t kWorkspace = 1;
    MemoryTotals totals;
    std::uint64_t jumps = 0;
    RowBatch batch = rows.batch(kSamples);
    const std::int64_t ofAllocator[] = {batch.textId("PTA"), batch.textId("PTA+GE")},
                       ofWorkspace[] = {batch.textId("WORKSPACE")};
    for (const RawMemoryUse& use : torch.memory) {
        if (batch.size() % kRowsPerLook < 2 && cancel.cancelled()) return;
        if (use.component != kWorkspace && use.allocator == 0 && !totals.add(use)) ++jumps;
        for (const std::int64_t component : use.component == kWorkspace ? std::span<const std::int64_t>(ofWorkspace)
                                                                        : std::span<const std::int64_t>(ofAllocator)) {
            batch.addRow();
            batch.setTextId(rawSampleColumn("component"), component);
            batch.setInteger(rawSampleColumn("ts"), use.time);
            batch.setInteger(rawSampleColumn("allocated"), use.allocated);
            batch.setInteger(rawSampleColumn("reserved"), use.reserved);
            batch.setInteger(rawSampleColumn("active"), use.active);
            batch.setInteger(rawSampleColumn("stream"), use.stream);
            batch.setInteger(rawSampleColumn("device_id"), use.device);
        }
    }
    rows.commit(batch);
    problems.report("raw.memory_jump", Severity::Info, kRawMemoryFile, jumps);
}

void addRawAllocationRows(const RawTorch& torch, const RawTorchTree& tree, const RawQueuePartners& partners,
                          RowTablesBuilder& rows, const RawTorchProblems& problems, const CancelToken& cancel) {
    std::uint64_t lone = 0;
    Allocators allocators(torch, tree, partners, cancel);
    RowBatch batch = rows.batch(kAllocations);
    RowTexts texts(torch, batch);
    for (const Lifetime& life : lifetimes(torch, cancel, lone)) {
        if (batch.size() % kRowsPerLook == 0 && cancel.cancelled()) return;
        const RawMemoryUse &allocated = *life.uses[0], *released = life.uses[1], *freed = life.uses[2];
        batch.addRow();
        texts.set(rawAllocationColumn("name"), allocators.nameOf(allocated), false);
        batch.setInteger(rawAllocationColumn("size"), allocated.bytes);
        batch.setInteger(rawAllocationColumn("alloc_ts"), allocated.time);
        batch.setInteger(rawAllocationColumn("alloc_allocated"), allocated.allocated);
        batch.setInteger(rawAllocationColumn("alloc_reserved"), allocated.reserved);
        batch.setInteger(rawAllocationColumn("alloc_active"), allocated.active);
        batch.setInteger(rawAllocationColumn("stream"), allocated.stream);
        batch.setInteger(rawAllocationColumn("device_id"), allocated.device);
        if (released != nullptr) batch.setInteger(rawAllocationColumn("release_ts"), released->time);
        if (freed != nullptr) batch.setInteger(rawAllocationColumn("active_release_ts"), freed->time);
        const RawMemoryUse* end = released != nullptr ? released : freed;
        if (end == nullptr) continue;
        batch.setInteger(rawAllocationColumn("release_allocated"), end->allocated);
        batch.setInteger(rawAllocationColumn("release_reserved"), end->reserved);
        batch.setInteger(rawAllocationColumn("release_active"), end->active);
    }
    rows.commit(batch);
    problems.report("raw.lone_release", Severity::Info, kRawMemoryFile, lone);
}

}  // namespace altiscope::reader
