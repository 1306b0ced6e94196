#include "core/import/raw_records/raw_mark_arguments.h"

#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

namespace altiscope::reader {

std::string rawMarkArguments(const MarkRecord& mark) {
    using Json = nlohmann::ordered_json;
    Json object;
    if (mark.number == MarkRecord::kNoNumber) {
        object["Category"] = std::to_string(mark.category);
        object["Payload_type"] = mark.payloadType;
        object["Payload_value"] = mark.payload;
        object["Message_type"] = mark.messageType;
        object["event_type"] = markKindName(mark.kind);
    } else {
        object["event_type"] = markKindName(mark.kind);
        object["domain"] = mark.domain;
    }
    return dumpJson(object);
}

std::string rawStreamMarkArguments(const StreamMark& mark) {
    const nlohmann::ordered_json object{{"Physic Stream Id", mark.stream}, {"Task Id", mark.task}};
    return dumpJson(object);
}

}  // namespace altiscope::reader
