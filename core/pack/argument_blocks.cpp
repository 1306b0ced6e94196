#include "core/pack/argument_blocks.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>

namespace altiscope::pack {

namespace {

void appendCount(std::string& bytes, std::uint64_t value) {
    constexpr std::uint64_t kMore = 0x80;
    for (; value >= kMore; value >>= 7U) bytes += static_cast<char>(value | kMore);
    bytes += static_cast<char>(value);
}

std::optional<std::uint64_t> readCount(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool holdsText(std::string_view all, std::string_view text, bool ignoreCase) {
    if (!ignoreCase) return all.find(text) != std::string_view::npos;
    return std::search(all.begin(), all.end(), text.begin(), text.end(),
                       [](char a, char b) { return lowered(a) == lowered(b); }) != all.end();
}

class PackedArguments final : public ArgumentSource {
public:
    PackedArguments(std::shared_ptr<const PackFile> file, const PackSection& section)
        : m_file(std::move(file)), m_section(section) {}

    Result<std::string> arguments(SourcePos pos) const override {
        const auto table = tableOf();
        if (!table.ok()) return table.as<std::string>();
        const auto place = placeOf(*table.value(), pos);
        if (!place) return std::string();
        const auto block = blockOf(*table.value(), *place);
        if (!block.ok()) return block.as<std::string>();
        return std::string(block.value()->arguments(pos));
    }

    void each(std::span<const SourcePos> positions, const Take& take) const override {
        const auto table = tableOf();
        std::vector<std::size_t> order(positions.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
        std::optional<std::size_t> last;
        std::optional<Result<Block>> block;
        for (const std::size_t i : order) {
            if (!table.ok()) {
                take(i, table.as<std::string_view>());
                continue;
            }
            const auto place = placeOf(*table.value(), positions[i]);
            if (!place) {
                take(i, std::string_view());
                continue;
            }
            if (place != last) block = blockOf(*table.value(), *place);
            last = place;
            if (block->ok()) take(i, block->value()->arguments(positions[i]));
            else take(i, block->as<std::string_view>());
        }
    }

    Result<std::vector<SourcePos>> find(std::string_view text, bool ignoreCase,
                                        const CancelToken& cancel) const override {
        const auto table = tableOf();
        if (!table.ok()) return table.as<std::vector<SourcePos>>();
        std::vector<std::vector<SourcePos>> found(table.value()->size());
        std::optional<Error> error;
        std::mutex mutex;  // guards the error
        parallelFor(found.size(), [&](std::size_t i) {
            if (cancel.cancelled()) return;
            const auto block = readBlock((*table.value())[i]);
            if (!block.ok()) {
                const std::lock_guard lock(mutex);
                error = block.error();
                return;
            }
            for (std::size_t r = 0; r < block.value()->size(); ++r)
                if (holdsText(block.value()->text(r), text, ignoreCase)) found[i].push_back(block.value()->position(r));
        });
        if (cancel.cancelled()) return Cancelled{};
        if (error) return *error;
        std::vector<SourcePos> all;
        for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
        return all;
    }

private:
    using Block = std::shared_ptr<const ArgumentBlock>;
    using Table = std::shared_ptr<const std::vector<BlockEntry>>;

    Result<Table> tableOf() const {
        const std::lock_guard lock(m_mutex);
        if (m_table != nullptr) return m_table;
        auto table = m_file->table(m_section);
        if (!table.ok()) return table.as<Table>();
        m_table = std::make_shared<const std::vector<BlockEntry>>(std::move(table).value());
        return m_table;
    }

    /// The block that holds a position, if any does.
    static std::optional<std::size_t> placeOf(const std::vector<BlockEntry>& table, SourcePos pos) {
        const auto after =
            std::upper_bound(table.begin(), table.end(), pos.packed,
                             [](std::uint64_t position, const BlockEntry& entry) { return position < entry.key; });
        if (after == table.begin()) return std::nullopt;
        return static_cast<std::size_t>(after - table.begin()) - 1;
    }

    Result<Block> readBlock(const BlockEntry& entry) const {
        auto content = m_file->block(m_section, entry);
        if (!content.ok()) return content.as<Block>();
        auto block = ArgumentBlock::decode(std::move(content).value());
        if (!block) return Error{"pack.damaged", m_file->path().string(), {}, {}};
        return std::make_shared<const ArgumentBlock>(std::move(*block));
    }

    /// With the one that was read last kept: a user who looks at one slice looks at its neighbours too.
    Result<Block> blockOf(const std::vector<BlockEntry>& table, std::size_t place) const {
        {
            const std::lock_guard lock(m_mutex);
            if (m_lastPlace == place) return m_last;
        }
        auto block = readBlock(table[place]);
        if (!block.ok()) return block;
        const std::lock_guard lock(m_mutex);
        m_lastPlace = place;
        m_last = block.value();
        return block;
    }

    std::shared_ptr<const PackFile> m_file;
    PackSection m_section;
    mutable std::mutex m_mutex;  // guards what follows
    mutable Table m_table;
    mutable std::optional<std::size_t> m_lastPlace;
    mutable Block m_last;
};

}  // namespace

std::string ArgumentBlock::encode(std::span<const std::pair<std::uint64_t, std::string>> records) {
    std::string bytes;
    appendCount(bytes, records.size());
    std::uint64_t before = 0;
    for (const auto& [position, text] : records) appendCount(bytes, position - std::exchange(before, position));
    for (const auto& [position, text] : records) appendCount(bytes, text.size());
    for (const auto& [position, text] : records) bytes += text;
    return bytes;
}

std::optional<ArgumentBlock> ArgumentBlock::decode(std::string content) {
    ArgumentBlock block;
    block.m_content = std::move(content);
    std::string_view rest = block.m_content;
    const auto count = readCount(rest);
    if (!count || *count > rest.size() / 2) return std::nullopt;
    std::uint64_t position = 0, end = 0;
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto distance = readCount(rest);
        // Ascending, each once.
        if (!distance || *distance == 0 || position + *distance < position) return std::nullopt;
        block.m_positions.push_back(position += *distance);
    }
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto length = readCount(rest);
        if (!length || *length > block.m_content.size() || (end += *length) > block.m_content.size())
            return std::nullopt;
        block.m_ends.push_back(static_cast<std::uint32_t>(end));
    }
    if (rest.size() != end) return std::nullopt;
    block.m_begin = block.m_content.size() - end;
    return block;
}

std::string_view ArgumentBlock::text(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    return std::string_view(m_content).substr(m_begin + begin, m_ends[i] - begin);
}

std::string_view ArgumentBlock::arguments(SourcePos pos) const {
    const auto found = std::lower_bound(m_positions.begin(), m_positions.end(), pos.packed);
    if (found == m_positions.end() || *found != pos.packed) return {};
    return text(static_cast<std::size_t>(found - m_positions.begin()));
}

std::shared_ptr<const ArgumentSource> packedArguments(std::shared_ptr<const PackFile> file,
                                                      const PackSection& section) {
    return std::make_shared<PackedArguments>(std::move(file), section);
}

}  // namespace altiscope::pack
