#pragma once

#include "core/query/row_sink.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace altiscope {

enum class ResultFormat : std::uint8_t { Table, Csv, Json };

/// "table", "csv", "json"; nullopt for other words.
std::optional<ResultFormat> resultFormat(std::string_view word);

/// Rows of a query as text, for a file or a terminal.
class ResultWriter : public RowSink {
public:
    /// Writes what is still due; once, after the query succeeded.
    virtual void finish() = 0;
};

/// @param write  Takes pieces of text; false stops the query.
/// Formats (product.md section 3):
/// - json: one array of objects, keys in SELECT order, a repeated name gets _2, _3 ...; integers exact, NULL null, reals in
///   shortest round-trip form, blobs as hex text, bytes that are no UTF-8 replaced. Streams.
/// - csv: RFC 4180 with header, NULL empty. Streams.
/// - table: columns aligned by terminal width (wide for Chinese), numbers to the right. Keeps kTableRows rows to find the
///   widths; further rows stream with these widths.
std::unique_ptr<ResultWriter> makeResultWriter(ResultFormat format, std::function<bool(std::string_view)> write);

inline constexpr std::size_t kTableRows = 1000;

}  // namespace altiscope
