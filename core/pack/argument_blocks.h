#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/ids.h"
#include "core/base/values/result.h"
#include "core/pack/pack_file.h"
#include "core/store/columns/argument_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::pack {

/// The arguments of some records, by position, as the content of a block: their number, each position's distance from
/// the one before, each text's length (LEB128), then the texts.
class ArgumentBlock {
public:
    /// @param records  Positions ascending.
    static std::string encode(std::span<const std::pair<std::uint64_t, std::string>> records);
    /// @return nullopt if the content is no such block.
    static std::optional<ArgumentBlock> decode(std::string content);

    /// The arguments of a record; empty if it is not there. They live as long as this.
    std::string_view arguments(SourcePos pos) const;
    std::size_t size() const { return m_positions.size(); }
    SourcePos position(std::size_t i) const { return {m_positions[i]}; }
    std::string_view text(std::size_t i) const;

private:
    std::string m_content;
    std::vector<std::uint64_t> m_positions;
    std::vector<std::uint32_t> m_ends;  ///< Of texts, from m_begin on.
    std::size_t m_begin = 0;
};

/// Content of a block of arguments that is aimed at: a click reads and expands one.
inline constexpr std::size_t kArgumentBlockBytes = std::size_t{128} << 10;
/// Of section kind Arguments.
inline constexpr std::uint32_t kArgumentsVersion = 1;

/// Arguments of a rank's records from a pack, read by block when they are looked at. A block that is damaged is an
/// Error "pack.damaged" for its records.
std::shared_ptr<const ArgumentSource> packedArguments(std::shared_ptr<const PackFile> file, const PackSection& section);

}  // namespace altiscope::pack
