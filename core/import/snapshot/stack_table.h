#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace altiscope::reader {

/// A call frame of a snapshot; texts are numbers of PickleTexts.
struct SnapshotFrame {
    std::uint32_t file = 0, name = 0;
    std::int64_t line = 0;
    bool operator==(const SnapshotFrame&) const = default;
};

/// The different call frames of a snapshot and the different stacks of them, each once. Stack 0 is the empty one.
class StackTable {
public:
    StackTable();

    std::uint32_t frameId(const SnapshotFrame& frame);
    /// @param frames  Numbers of frames, innermost first.
    std::uint32_t stackId(std::span<const std::uint32_t> frames);

    std::size_t size() const { return m_stacks.size(); }
    const SnapshotFrame& frame(std::uint32_t id) const { return m_frames[id]; }
    std::span<const std::uint32_t> stack(std::uint32_t id) const {
        return std::span(m_items).subspan(m_stacks[id].begin, m_stacks[id].count);
    }

private:
    struct Stack {
        std::size_t begin = 0;
        std::uint32_t count = 0, hash = 0;
    };
    std::vector<SnapshotFrame> m_frames;
    std::vector<Stack> m_stacks;
    std::vector<std::uint32_t> m_items;
    std::vector<std::uint32_t> m_framePlaces, m_stackPlaces;  // number + 1, open addressing, powers of two
};

}  // namespace altiscope::reader
