#pragma once

#include "core/import/raw_host/raw_host.h"
#include "core/import/raw_records/raw_rounds.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Texts or lists of bytes, each once, by number.
class RawNumberedTexts {
public:
    std::uint32_t number(std::string_view text) {
        if (const auto known = m_numbers.find(text); known != m_numbers.end()) return known->second;
        const auto number = static_cast<std::uint32_t>(m_texts.size());
        m_numbers.emplace(text, number);
        m_texts.emplace_back(text);
        return number;
    }
    const std::string& operator[](std::size_t number) const { return m_texts[number]; }
    std::vector<std::string> take() { return std::move(m_texts); }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::vector<std::string> m_texts;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> m_numbers;
};

/// Records of the host, before it is known to which call they belong. Times are counts of the host.
struct RawHostRecords {
    struct Basic {
        std::uint64_t time, op, type;
        std::uint32_t thread, core, blocks;
        bool isAging, isHf32;
    };
    struct Attribute {
        std::uint64_t time, op, text;
        std::uint32_t thread;
    };
    struct Tensors {
        std::uint64_t time, op;
        std::uint32_t thread, list;  ///< Number in `tensorLists`.
    };
    struct Contexts {
        std::uint64_t time, op;
        std::uint32_t thread;
        std::vector<std::uint32_t> ids;
    };
    struct HcclOp {
        std::uint64_t time, algorithm, count, group;
        std::uint32_t thread;
        std::uint8_t flags, dataType;
    };
    struct HcclStamp {
        std::uint64_t time;
        std::uint32_t thread;
    };
    struct Copy {
        std::uint64_t time, bytes, most;
        std::uint32_t thread;
        std::uint16_t direction;
    };

    std::vector<RawTrack> tracks;  ///< As numberRawTracks leaves them.
    std::vector<Basic> basics;
    std::vector<Attribute> attributes;
    std::vector<Tensors> tensors;
    RawNumberedTexts tensorLists;
    std::vector<Contexts> contexts;  ///< Those of operators; collectives have `hcclContexts`.
    std::vector<Contexts> hcclContexts;
    std::vector<HcclOp> hcclOps;
    std::vector<HcclStamp> hcclStamps;  ///< Stamps of RawHost::hcclTasks.
    std::vector<Copy> copies;
};

/// Reads what the host recorded, each series apart from the others on all workers. Fills calls, texts and hcclTasks of
/// `host`. Adds to `context.diagnostics`, beside what RawBlocks adds: "raw.unpaired" (lost) for an event without its
/// other half. Source: FORMAT.md.
RawHostRecords readRawHostRecords(const RawFiles& files, RawHost& host, RawContext& context);

}  // namespace altiscope::reader
