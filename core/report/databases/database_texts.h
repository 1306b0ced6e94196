#pragma once

#include "core/base/files/sqlite_file.h"
#include "core/report/databases/database_schema.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace altiscope {

/// Numbers of texts in STRING_IDS; each text becomes a row when it is first needed. torch_npu's own texts have
/// numbers of their own, so that a text may have several.
class DatabaseTexts {
public:
    static constexpr std::uint32_t kCann = 0, kFramework = std::uint32_t{1} << 28, kMemory = std::uint32_t{2} << 28;
    /// Id of an empty text of torch_npu, which has no row; msprof's texts may be empty.
    static constexpr std::uint32_t kNoText = 0xffffffff;

    /// @param first  The first id of the range.
    DatabaseTexts(SqliteFile& file, std::uint32_t first) : m_file(file), m_first(first), m_next(first) {}

    std::uint32_t id(std::string_view text) {
        if (text.empty() && m_first != kCann) return kNoText;
        if (const auto known = m_ids.find(text); known != m_ids.end()) return known->second;
        m_file.insert(ProfilerTable::StringIds, {m_next, text});
        m_ids.emplace(text, m_next);
        return m_next++;
    }

    /// Looks for texts without making a copy.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

private:
    SqliteFile& m_file;
    const std::uint32_t m_first;
    std::uint32_t m_next;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> m_ids;
};

}  // namespace altiscope
