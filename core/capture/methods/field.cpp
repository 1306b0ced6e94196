#include "core/capture/methods/field.h"

namespace altiscope::capture {

std::string_view typeText(FieldType type) {
    switch (type) {
    case FieldType::Bool: return "bool";
    case FieldType::Integer: return "integer";
    case FieldType::Number: return "number";
    case FieldType::Text: return "text";
    case FieldType::Path: return "path";
    case FieldType::Choice: return "choice";
    case FieldType::IntegerList: return "list of integers";
    case FieldType::ChoiceList: return "list of choices";
    case FieldType::TextList: return "list of texts";
    case FieldType::Object: return "object";
    }
    return {};
}

std::string rangeText(const Field& field) {
    std::string text;
    if (!field.choices.empty()) text = field.choices;
    else if (field.type == FieldType::Bool) text = "true false";
    else if (field.min != Field::kNoMin && field.max != Field::kNoMax) {
        text = std::to_string(field.min) + ".." + std::to_string(field.max);
    } else if (field.min != Field::kNoMin) text = ">= " + std::to_string(field.min);
    else if (field.max != Field::kNoMax) text = "<= " + std::to_string(field.max);
    if (field.nullable) text += text.empty() ? "any or null" : " or null";
    return text;
}

}  // namespace altiscope::capture
