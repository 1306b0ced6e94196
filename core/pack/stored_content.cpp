#include "core/pack/stored_content.h"

#include "core/pack/block_coding.h"

#include <cstring>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace altiscope::pack {

std::shared_ptr<char> alignedMemory(std::size_t bytes) {
    constexpr auto kAlign = std::align_val_t{64};
    return {static_cast<char*>(::operator new(bytes, kAlign)), [](char* memory) { ::operator delete(memory, kAlign); }};
}

Result<StoreFileContent> storedContent(const SpooledSection& section, SpoolFile& spool,
                                       const std::filesystem::path& pack, const CancelToken& cancel) {
    std::string bytes(section.size, '\0');
    if (!spool.read(section.offset, bytes))
        return Error{"pack.not_written", pack.string(), {}, {{"reason", spool.problem()}}};
    std::vector<BlockEntry> table(section.header.blocks);
    std::memcpy(table.data(), bytes.data(), table.size() * sizeof(BlockEntry));
    const std::shared_ptr<char> content = alignedMemory(section.header.rawBytes);
    std::size_t at = 0;
    for (const BlockEntry& block : table) {
        const std::string_view coded = std::string_view(bytes).substr(block.offset, block.bytes);
        if (!decodeBlock(coded, block.coding, std::span(content.get() + at, block.rawBytes)))
            return Error{"pack.damaged", pack.string(), {}, {}};
        at += block.rawBytes;
    }
    return readStoreBytes({content, {content.get(), at}}, pack, cancel);
}

}  // namespace altiscope::pack
