// Opens the input as a pack, as the product does, and reads arguments of it. Checksums keep most damage away from the
// code behind them, so each input is also opened with right ones, by its directory and without. The packs of the corpus
// are those of captures in tests/golden: a raised kStoreFileVersion wants new ones.
#include "core/base/threads/parallel.h"
#include "core/pack/open_pack.h"
#include "core/pack/pack_layout.h"
#include "core/pack/pack_set.h"
#include "tests/fuzz/input_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include <xxhash.h>

using namespace altiscope;

namespace {

void open(const std::string& bytes) {
    static WorkerArena arena(1);  // waking another thread takes longer than these small packs
    const auto path = fuzz::inputFolder() / "input.altipack";
    fuzz::writeInput(path, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    arena.run([&] {
        ProgressSlot progress;
        if (const auto set = pack::openPackSet(path, {}); set.ok()) static_cast<void>(pack::packSums(set.value(), {}));
        const auto opened = pack::openPack(path, {}, progress, {});
        if (!opened.ok()) return;
        for (const RankEntry& rank : opened.value()->ranks) {
            if (rank.arguments == nullptr) continue;
            static_cast<void>(rank.arguments->find("stream", true, {}));
            if (rank.trace != nullptr && rank.trace->sliceCount() > 0)
                static_cast<void>(rank.arguments->arguments(rank.trace->pos(SliceIndex{0})));
        }
    });
}

template <class Part>
bool partAt(const std::string& bytes, std::size_t at, Part& part) {
    if (at > bytes.size() || bytes.size() - at < sizeof part) return false;
    std::memcpy(&part, bytes.data() + at, sizeof part);
    return true;
}

template <class Part>
void putWithChecksum(std::string& bytes, std::size_t at, Part part) {
    part.checksum = 0;
    part.checksum = XXH3_64bits(&part, sizeof part);
    std::memcpy(bytes.data() + at, &part, sizeof part);
}

/// A section's header with the id of the file and right checksums of it, its table and its blocks.
/// @return False if table and blocks do not lie in the input.
bool makeBelievable(std::string& bytes, std::size_t at, std::uint64_t id, pack::SectionHeader& section) {
    if (at > bytes.size() || bytes.size() - at < sizeof section) return false;
    const std::size_t table = at + sizeof section, left = bytes.size() - table;
    if (section.bytes > left || section.blocks > section.bytes / sizeof(pack::BlockEntry)) return false;
    for (std::uint32_t i = 0; i < section.blocks; ++i) {
        pack::BlockEntry entry;
        const std::size_t place = table + i * sizeof entry;
        if (!partAt(bytes, place, entry) || entry.offset > section.bytes || entry.bytes > section.bytes - entry.offset)
            continue;
        entry.checksum = XXH3_64bits(bytes.data() + table + entry.offset, entry.bytes);
        std::memcpy(bytes.data() + place, &entry, sizeof entry);
    }
    section.id = id;
    section.tableChecksum = XXH3_64bits(bytes.data() + table, section.blocks * sizeof(pack::BlockEntry));
    section.checksum = 0;
    section.checksum = XXH3_64bits(&section, sizeof section);
    return true;
}

/// The input with right checksums of the header and of all sections that are walked, without its directory.
std::string walkable(std::string bytes) {
    pack::FileHeader header;
    if (!partAt(bytes, 0, header)) return bytes;
    putWithChecksum(bytes, 0, header);
    std::size_t at = sizeof header;
    for (pack::SectionHeader section; partAt(bytes, at, section) && section.magic == pack::SectionHeader::kMagic;) {
        if (!makeBelievable(bytes, at, header.id, section)) break;
        std::memcpy(bytes.data() + at, &section, sizeof section);
        at += sizeof section + section.bytes;
        at = (at + pack::kSectionAlignment - 1) / pack::kSectionAlignment * pack::kSectionAlignment;
    }
    bytes.resize(std::min(bytes.size(), at));
    return bytes;
}

/// The input with right checksums of the header, of its directory and of all sections that this names.
std::string withDirectory(std::string bytes) {
    pack::FileHeader header;
    pack::Trailer trailer;
    if (bytes.size() < sizeof header + sizeof trailer || !partAt(bytes, 0, header)) return bytes;
    putWithChecksum(bytes, 0, header);
    const std::size_t end = bytes.size() - sizeof trailer;
    if (!partAt(bytes, end, trailer) || trailer.offset > end) return bytes;
    trailer.entries = (end - trailer.offset) / sizeof(pack::DirectoryEntry);
    for (std::uint64_t i = 0; i < trailer.entries; ++i) {
        const std::size_t place = trailer.offset + i * sizeof(pack::DirectoryEntry);
        pack::DirectoryEntry entry;
        // Sections that reach into the directory are no sound ones; their checksums would change it meanwhile.
        if (!partAt(bytes, place, entry) || entry.offset > trailer.offset ||
            entry.section.bytes > trailer.offset - entry.offset ||
            !makeBelievable(bytes, entry.offset, header.id, entry.section))
            continue;
        std::memcpy(bytes.data() + place, &entry, sizeof entry);
    }
    trailer.checksum = 0;
    std::memcpy(bytes.data() + end, &trailer, sizeof trailer);
    trailer.checksum = XXH3_64bits(bytes.data() + trailer.offset, bytes.size() - trailer.offset);
    std::memcpy(bytes.data() + end, &trailer, sizeof trailer);
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    open(bytes);
    open(walkable(bytes));
    open(withDirectory(bytes));
    return 0;
}
