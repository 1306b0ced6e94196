#pragma once

#include "core/base/files/file.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/pack/pack_layout.h"
#include "core/pack/pack_source.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::pack {

/// Where a section of a pack is.
struct PackSection {
    SectionHeader header;
    std::uint64_t offset = 0;  ///< Of its header.
};

/// Content in memory, 64-byte aligned.
struct PackBytes {
    std::shared_ptr<const void> owner;
    std::string_view bytes;
};

/// A pack that is open for reading: its sections, and their content when it is wanted, each block checked. Nothing is
/// believed: sizes and counts are held against the file's size before memory is taken for them. Thread-safe.
class PackFile {
public:
    /// Reads the directory; where there is none, as in a pack that was cut, the sections one after the other, as far as
    /// they are whole.
    /// Sections do not overlap, so that all of them together are no larger than the file justifies.
    /// @return Error as ReadOnlyFile::open and read; "pack.damaged" (no pack begins there), "pack.later" {version} or
    ///         "pack.other_machine" (its byte order).
    ///         A pack of many is opened again for each reading (Access::Again), as no process may have as many files
    ///         open as a job has ranks; one that was replaced meanwhile is damaged.
    enum class Access : std::uint8_t { Kept, Again };
    /// @param source  Fills the file as it is read; null: it is whole.
    static Result<std::shared_ptr<const PackFile>> open(const std::filesystem::path& path, Access access = Access::Kept,
                                                        std::shared_ptr<const PackSource> source = {});

    const std::filesystem::path& path() const { return m_path; }
    /// State of the file when it was opened; of one that is filled as it is read its size and no time.
    const FileStamp& stamp() const { return m_stamp; }
    /// FileHeader::id
    std::uint64_t id() const { return m_id; }
    const std::vector<PackSection>& sections() const { return m_sections; }
    /// The first section of a kind and rank; null if there is none. O(log sections).
    const PackSection* find(SectionKind kind, std::uint32_t rank = kNoRankNumber) const;
    /// Set where there is no directory: the place behind the last whole section.
    std::optional<std::uint64_t> wholeUntil() const { return m_wholeUntil; }

    /// The table of a section's blocks, which lie one behind the other.
    /// @return Error "pack.damaged" with the place, or "file.unreadable".
    Result<std::vector<BlockEntry>> table(const PackSection& section) const;
    /// The content of one block of table(). @return Error as table().
    Result<std::string> block(const PackSection& section, const BlockEntry& entry) const;
    /// The content of a whole section, on all workers of the current arena.
    /// @return Cancelled, or Error as table(); throws std::bad_alloc.
    Result<PackBytes> content(const PackSection& section, const CancelToken& cancel) const;
    /// The bytes of a section as they lie in the file, after its header; nothing of them is checked.
    /// @return Error as table().
    Result<std::string> bytes(const PackSection& section) const;

private:
    PackFile(ReadOnlyFile file, FileStamp stamp, std::shared_ptr<const PackSource> source)
        : m_path(file.path()), m_size(file.size()), m_stamp(std::move(stamp)), m_source(std::move(source)),
          m_file(std::move(file)) {}
    bool readDirectory(std::uint64_t id);
    void walkSections(std::uint64_t id);
    bool isSound(const PackSection& section, std::uint64_t id, std::uint64_t end) const;
    void addSection(const PackSection& section);
    /// nullopt if all was read.
    std::optional<Error> readAll(std::uint64_t offset, char* to, std::uint64_t bytes) const;
    std::optional<Error> readBlock(const PackSection& section, const BlockEntry& entry, std::span<char> out) const;
    Error damagedAt(std::uint64_t offset) const;

    std::filesystem::path m_path;
    std::uint64_t m_size = 0;
    std::uint64_t m_id = 0;
    FileStamp m_stamp;
    std::shared_ptr<const PackSource> m_source;
    std::optional<ReadOnlyFile> m_file;  // nullopt: to be opened again
    std::vector<PackSection> m_sections;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> m_places;  // kind, rank: index in m_sections
    std::optional<std::uint64_t> m_wholeUntil;
};

/// Whether a file is to be opened as a pack: by its first bytes, or by its name, so that a damaged one is called so.
bool isPack(const std::filesystem::path& path);

/// The checksum of a part of a layout that has one, which counts as 0.
template <class Part>
std::uint64_t ownChecksum(Part part);

}  // namespace altiscope::pack
