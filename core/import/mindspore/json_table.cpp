#include "core/import/mindspore/json_table.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/import/json/json_keys.h"
#include "core/import/json/json_text.h"

#include <nlohmann/json.hpp>

namespace altiscope::reader {

Result<nlohmann::json> jsonTable(const SourceFile& file, Diagnostics& diagnostics, ProgressSlot& progress) {
    using Json = nlohmann::json;
    auto text = readSmallText(file.path, kMaxJsonTable);
    if (!text.ok()) return text.as<Json>();
    progress.addDone(file.size);
    const std::size_t begin = text.value().find_first_not_of(" \t\r\n");
    // Also keeps the depth within bounds: the library recurses.
    const ValueExtent extent =
        begin == std::string::npos ? ValueExtent{} : valueExtent(std::string_view(text.value()).substr(begin));
    if (extent.isTooDeep) {
        diagnostics.add("json.too_deep", Severity::Lost, file.name, {PlaceUnit::Byte, begin + extent.length},
                        {{"limit", std::to_string(kMaxValueDepth)}});
        return Json(Json::value_t::object);
    }
    Json json(Json::value_t::discarded);
    if (extent.end == ValueExtent::End::Complete) json = parseJson(repairedUtf8(text.value()));
    if (!json.is_object()) {
        diagnostics.add("table.broken", Severity::Lost, file.name,
                        {PlaceUnit::Byte, (begin == std::string::npos ? 0 : begin) + extent.length},
                        {{"what", "JSON"}});
        return Json(Json::value_t::object);
    }
    reportRepeatedKeys(text.value(), file.name, diagnostics);
    return json;
}

Result<nlohmann::json> jsonTable(const SourceFile& file, TableContext& context) {
    return jsonTable(file, context.diagnostics, context.progress);
}

void reportBadEntry(const SourceFile& file, std::size_t number, std::string_view shown, TableContext& context) {
    context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, number},
                            {{"what", shownBeginning(shown)}});
}

std::string shownBeginning(std::string_view text) {
    static constexpr std::size_t kShown = 60;
    return repairedUtf8(text.substr(0, utf8Prefix(text, kShown)));
}

}  // namespace altiscope::reader
