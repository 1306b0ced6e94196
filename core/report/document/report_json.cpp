#include "core/base/text/json_text.h"
#include "core/report/document/html_text.h"
#include "core/report/document/report_document.h"

#include <nlohmann/json.hpp>

namespace altiscope {

namespace {

using ReportObject = nlohmann::ordered_json;

ReportObject jsonOf(const ReportValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return nullptr;
}

/// How many bytes a megabyte has, and that points in time are shown whole, concerns people alone.
std::string_view unitName(std::string_view unit) {
    if (unit == "transfer") return "bytes";
    return unit == "stamp" ? "ns" : unit;
}

ReportObject jsonOf(const ReportTable& table) {
    ReportObject columns = ReportObject::array(), rows = ReportObject::array();
    for (const ReportColumn& column : table.columns)
        columns.push_back({{"name", column.name}, {"unit", unitName(column.unit)}});
    for (const auto& values : table.rows) {
        ReportObject row = ReportObject::array();
        for (const ReportValue& value : values) row.push_back(jsonOf(value));
        rows.push_back(std::move(row));
    }
    ReportObject json;
    json["title"] = table.title;
    json["sql"] = table.sql;
    json["columns"] = std::move(columns);
    json["rows"] = std::move(rows);
    json["omitted"] = table.omitted;
    if (!table.note.empty()) json["note"] = table.note;
    return json;
}

}  // namespace

std::string reportJson(const Report& report) {
    ReportObject json;
    json["schema"] = 1;
    json["title"] = report.title;
    json["captures"] = report.captures;
    json["generated"] = report.generated;
    json["sections"] = ReportObject::array();
    for (const ReportSection& section : report.sections) {
        ReportObject tables = ReportObject::array();
        for (const ReportTable& table : section.tables) tables.push_back(jsonOf(table));
        ReportObject made;
        made["id"] = section.id;
        made["title"] = section.title;
        made["text"] = section.text;
        made["tables"] = std::move(tables);
        json["sections"].push_back(std::move(made));
    }
    if (!report.scope.empty()) json["scope"] = report.scope;
    if (!report.notes.empty()) json["notes"] = report.notes;
    for (const ReportPicture& picture : report.pictures)
        json["pictures"].push_back(
            {{"title", picture.title}, {"note", picture.note}, {"png", base64Text(picture.png)}});
    // Names of kernels and paths may be any bytes.
    return dumpJson(json) + "\n";
}

}  // namespace altiscope
