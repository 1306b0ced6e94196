#include "core/store/file/row_blob.h"

#include <cstdint>
#include <cstring>

namespace altiscope {

namespace {

void addNumber(std::string& bytes, std::uint64_t value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::optional<std::uint64_t> takeNumber(std::string_view& bytes) {
    std::uint64_t value = 0;
    if (bytes.size() < sizeof value) return std::nullopt;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
}

}  // namespace

std::string rowDirectory(const RowTables& tables) {
    std::string bytes;
    for (const RowTable& table : tables.tables()) {
        addNumber(bytes, static_cast<std::uint64_t>(table.kind()));
        addNumber(bytes, table.size());
        addNumber(bytes, table.extras().size());
        for (const std::string& extra : table.extras()) {
            addNumber(bytes, extra.size());
            bytes += extra;
        }
    }
    return bytes;
}

std::optional<std::vector<RowTableShape>> rowTablesFromDirectory(std::string_view bytes) {
    std::vector<RowTableShape> shapes;
    while (!bytes.empty()) {
        const auto kind = takeNumber(bytes), rows = takeNumber(bytes), extras = takeNumber(bytes);
        if (!extras || *kind >= kRowKinds || *extras > bytes.size()) return std::nullopt;
        RowTableShape shape{static_cast<RowKind>(*kind), *rows, {}};
        for (std::uint64_t i = 0; i < *extras; ++i) {
            const auto size = takeNumber(bytes);
            if (!size || *size > bytes.size()) return std::nullopt;
            shape.extras.emplace_back(bytes.substr(0, *size));
            bytes.remove_prefix(*size);
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

}  // namespace altiscope
