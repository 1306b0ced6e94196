#pragma once

#include "core/base/files/pending_file.h"
#include "core/base/values/cancel.h"
#include "core/pack/block_coding.h"
#include "core/pack/pack_layout.h"
#include "core/pack/spool_file.h"

#include <cstdint>
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

/// A section that is ready but for whose it is.
struct CodedSection {
    SectionHeader header;  ///< Without id, rank and checksum.
    std::string bytes;     ///< Content after the header, up to the next section.
};

/// A section of blocks, by key. Any thread.
CodedSection codedSection(SectionKind kind, std::uint32_t version, const std::vector<NewBlock>& blocks);
/// A section of one content, cut into blocks, on the workers of the arena. Useless if it was cancelled meanwhile.
CodedSection codedSection(SectionKind kind, std::uint32_t version, std::string_view content, BlockContent how,
                          const CancelToken& cancel);

/// A section that waits in a file.
struct SpooledSection {
    SectionHeader header;                ///< As CodedSection::header.
    std::uint64_t offset = 0, size = 0;  ///< Place of CodedSection::bytes there.
};

/// Writes the parts of a pack one after the other. One thread.
class SectionWriter {
public:
    /// @param id  FileHeader::id. The file must outlive this.
    SectionWriter(PendingFile& file, std::uint64_t id, const CancelToken& cancel);

    /// Both return false once something could not be written, or it was cancelled.
    bool add(const CodedSection& section, std::uint32_t rank = kNoRankNumber);
    bool add(const SpooledSection& section, std::uint32_t rank, SpoolFile& from);
    /// Directory and trailer.
    bool finish();

    std::uint64_t bytes() const { return m_at; }

private:
    bool addHeader(SectionHeader header, std::uint32_t rank);
    bool write(std::string_view bytes);

    PendingFile& m_file;
    const CancelToken& m_cancel;
    std::uint64_t m_id;
    std::uint64_t m_at = 0;
    bool m_isWell = true;
    std::vector<DirectoryEntry> m_directory;
};

}  // namespace altiscope::pack
