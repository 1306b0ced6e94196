#include "core/import/database_lookup/db_arguments.h"

#include "core/base/text/diagnostics.h"
#include "core/import/database_lookup/db_record.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include <sys/stat.h>

namespace altiscope::reader {

namespace {

/// Size and time of change: tell whether a database is still the one that was read.
struct DbStamp {
    off_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const DbStamp&) const = default;
};

std::optional<DbStamp> dbStampOf(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return DbStamp{status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

class DbArguments final : public ArgumentSource {
public:
    explicit DbArguments(const SourceFile& file) : m_file(file), m_stamp(dbStampOf(file.path)) {}

    Result<std::string> arguments(SourcePos pos) const override;
    void each(std::span<const SourcePos> positions, const Take& take) const override;

private:
    Result<std::unique_ptr<DbLookup>> borrow() const;
    Error changed(SourcePos pos) const {
        return {"args.source_changed",
                m_file.name,
                Place{PlaceUnit::Row, static_cast<std::uint64_t>(dbRowOf(pos))}.text(),
                {}};
    }

    const SourceFile m_file;
    const std::optional<DbStamp> m_stamp;
    mutable DbRowIndexes m_indexes;
    mutable std::mutex m_mutex;  // guards the next one
    mutable std::vector<std::unique_ptr<DbLookup>> m_idle;
};

Result<std::unique_ptr<DbLookup>> DbArguments::borrow() const {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto lookup = std::move(m_idle.back());
            m_idle.pop_back();
            return lookup;
        }
    }
    auto connection = openDatabase(m_file.path, m_file.name, nullptr);
    if (!connection.ok()) return connection.as<std::unique_ptr<DbLookup>>();
    auto schema = DbSchema::read(connection.value().get(), m_file.name);
    if (!schema.ok()) return schema.as<std::unique_ptr<DbLookup>>();
    return std::make_unique<DbLookup>(std::move(connection).value(), std::move(schema).value(), m_indexes);
}

Result<std::string> DbArguments::arguments(SourcePos pos) const {
    std::optional<Result<std::string>> result;
    each(std::span(&pos, 1), [&result](std::size_t, const Result<std::string_view>& text) {
        result = text.ok() ? Result<std::string>(std::string(text.value())) : text.as<std::string>();
    });
    return std::move(*result);
}

void DbArguments::each(std::span<const SourcePos> positions, const Take& take) const {
    if (positions.empty()) return;
    // Neighbours lie on the same pages.
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
    if (!m_stamp || dbStampOf(m_file.path) != m_stamp) {
        for (const std::size_t number : order) take(number, changed(positions[number]));
        return;
    }
    auto lookup = borrow();
    if (!lookup.ok()) {
        for (const std::size_t number : order) take(number, lookup.as<std::string_view>());
        return;
    }
    for (const std::size_t number : order) {
        const SourcePos pos = positions[number];
        const auto text = recordArguments(*lookup.value(), dbTableOf(pos), dbRowOf(pos));
        const bool isWhole = !lookup.value()->takeFailure();
        if (text && isWhole) take(number, std::string_view(*text));
        else take(number, changed(pos));
    }
    const std::lock_guard lock(m_mutex);
    m_idle.push_back(std::move(lookup).value());
}

}  // namespace

std::shared_ptr<const ArgumentSource> makeDbArguments(const SourceFile& file) {
    return std::make_shared<DbArguments>(file);
}

}  // namespace altiscope::reader
