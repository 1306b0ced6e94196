#pragma once

#include "core/base/files/pending_file.h"
#include "core/base/values/cancel.h"
#include "core/pack/block_coding.h"
#include "core/pack/pack_layout.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::pack {

/// A block on its way into a pack.
struct NewBlock {
    std::uint64_t key = 0;
    std::uint32_t rawBytes = 0;
    CodedBlock coded;
};

/// Writes the parts of a pack one after the other. One thread; uses the workers of the arena.
class SectionWriter {
public:
    /// @param id  FileHeader::id. The file must outlive this.
    SectionWriter(PendingFile& file, std::uint64_t id, const CancelToken& cancel);

    /// A section of blocks, by key. @return False once something could not be written, or it was cancelled.
    bool add(SectionKind kind, std::uint32_t version, std::uint32_t rank, const std::vector<NewBlock>& blocks);
    /// A section of one content, cut into blocks.
    bool add(SectionKind kind, std::uint32_t version, std::uint32_t rank, std::string_view content, BlockContent how);
    /// Directory and trailer.
    bool finish();

    std::uint64_t bytes() const { return m_at; }

private:
    bool write(std::string_view bytes);

    PendingFile& m_file;
    const CancelToken& m_cancel;
    std::uint64_t m_id;
    std::uint64_t m_at = 0;
    bool m_isWell = true;
    std::vector<DirectoryEntry> m_directory;
};

}  // namespace altiscope::pack
