#include "views/common/tables/table_writing.h"

#include "core/base/files/pending_file.h"
#include "core/base/text/table_text.h"
#include "core/base/text/text.h"
#include "views/common/support/cell_text.h"
#include "views/common/support/formatters.h"

#include <QFile>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <string_view>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr std::size_t kBuffer = 1 << 20;
constexpr std::size_t kPoll = 4096;

std::vector<std::pair<std::size_t, std::size_t>> placesOf(const TablePart& part) {
    if (!part.places.empty()) return part.places;
    return {{0, part.rows->count}};
}

/// Calls body(source row) for each row that is wanted until it returns false.
template <class Body>
void eachRow(const TablePart& part, Body body) {
    for (const auto& [begin, end] : placesOf(part)) {
        for (std::size_t place = begin; place < std::min(end, part.rows->count); ++place) {
            if (!body(part.rows->row(place))) return;
        }
    }
}

/// Exact, or as it is shown where something stands beside it.
QString guardedPlain(const TableSource& source, std::size_t column, std::uint32_t row) {
    if (const std::string label = source.label(column, row); !label.empty()) return guardedCell(toQString(label));
    const QString plain = plainCell(source, column, source.cell(column, row));
    return source.columns()[column].type == CellType::Text ? guardedCell(plain) : plain;
}

/// @pre Neither a text nor absent.
std::string number(const TableColumn& column, std::int64_t cell) {
    return column.type == CellType::Integer ? std::to_string(cell) : realText(std::bit_cast<double>(cell));
}

/// As it is shown where something stands beside it; an absent cell is an empty field.
std::string csvCell(const TableSource& source, std::size_t column, std::uint32_t row) {
    if (!source.label(column, row).empty()) return csvField(guardedPlain(source, column, row).toStdString());
    const std::int64_t cell = source.cell(column, row);
    if (cell == kAbsentCell) return {};
    if (source.columns()[column].type != CellType::Text) return number(source.columns()[column], cell);
    return csvField(guardedPlain(source, column, row).toStdString());
}

std::string csvHeader(const TablePart& part) {
    std::string line;
    for (const std::size_t column : part.columns)
        line += (line.empty() ? "" : ",") + csvField(part.source->columns()[column].name);
    return line + "\r\n";
}

std::string csvLine(const TablePart& part, std::uint32_t row) {
    std::string line;
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
        if (i > 0) line += ',';
        line += csvCell(*part.source, part.columns[i], row);
    }
    // A record of a single empty field would be an empty line, which many readers skip.
    return (line.empty() ? "\"\"" : line) + "\r\n";
}

/// The text that a number is shown as has a key of its own, so that the values of each key are of one kind: "rank" of
/// "rank_id".
std::string labelKey(std::span<const TableColumn> columns, const TableColumn& about) {
    if (about.name.ends_with("_id")) {
        std::string key = about.name.substr(0, about.name.size() - 3);
        if (std::none_of(columns.begin(), columns.end(), [&](const TableColumn& c) { return c.name == key; }))
            return key;
    }
    return about.name + "_label";
}

std::string jsonObject(const TablePart& part, std::uint32_t row) {
    std::string object;
    const auto add = [&object](std::string_view key, std::string_view value) {
        object.append(object.empty() ? "{" : ", ").append(jsonQuoted(key)).append(": ").append(value);
    };
    for (const std::size_t column : part.columns) {
        const TableColumn& about = part.source->columns()[column];
        const std::int64_t cell = part.source->cell(column, row);
        if (cell == kAbsentCell) {
            add(about.name, "null");
        } else {
            add(about.name,
                about.type == CellType::Text ? jsonQuoted(part.source->text(column, cell)) : number(about, cell));
        }
        if (!about.hasBeside) continue;
        const std::string label = part.source->label(column, row);
        const std::string shown = !label.empty() ? label : cell == kAbsentCell ? label : number(about, cell);
        add(labelKey(part.source->columns(), about), shown.empty() ? "null" : jsonQuoted(shown));
    }
    return object.empty() ? "{}" : object + '}';
}

}  // namespace

QString guardedCell(const QString& text) {
    return isFormula(text.left(1).toStdString()) ? QLatin1Char(kFormulaGuard) + text : text;
}

QString tableAsText(const TablePart& part, std::size_t mostRows) {
    QStringList lines, cells;
    for (const std::size_t column : part.columns) cells << toQString(part.source->columns()[column].name);
    lines << cells.join(u'\t');
    eachRow(part, [&](std::uint32_t row) {
        cells.clear();
        for (const std::size_t column : part.columns) cells << onOneLine(guardedPlain(*part.source, column, row));
        lines << cells.join(u'\t');
        return static_cast<std::size_t>(lines.size()) <= mostRows;
    });
    return lines.join(u'\n') + u'\n';
}

QString tableAsJson(const TablePart& part, std::size_t mostRows) {
    std::string json = "[";
    std::size_t rows = 0;
    eachRow(part, [&](std::uint32_t row) {
        if (rows == mostRows) return false;
        json += (rows++ == 0 ? "\n" : ",\n") + jsonObject(part, row);
        return true;
    });
    return toQString(json + "\n]\n");
}

QString writeTable(const TablePart& part, const QString& file, ProgressSlot& progress, const CancelToken& cancel) {
    PendingFile out(QFile::encodeName(file).toStdString(), PendingFile::Access::Shared, &cancel);
    if (cancel.cancelled()) return {};
    if (!out.opened()) return toQString(out.problem());
    const bool json = file.endsWith(u".json"_s, Qt::CaseInsensitive);
    progress.setPhase(ProgressPhase::Writing);
    std::string buffer = json ? "[" : csvHeader(part);
    bool good = true, first = true;
    std::size_t rows = 0;
    eachRow(part, [&](std::uint32_t row) {
        if (json) {
            buffer += (first ? "\n" : ",\n") + jsonObject(part, row);
        } else {
            buffer += csvLine(part, row);
        }
        first = false;
        if (buffer.size() >= kBuffer) {
            good = out.write(buffer);
            progress.addDone(buffer.size());
            buffer.clear();
        }
        return good && (++rows % kPoll != 0 || !cancel.cancelled());
    });
    if (cancel.cancelled()) return {};
    if (json) buffer += "\n]\n";
    good = good && out.write(buffer);
    if (cancel.cancelled()) return {};
    return good && out.keep() ? QString() : toQString(out.problem());
}

}  // namespace altiscope
