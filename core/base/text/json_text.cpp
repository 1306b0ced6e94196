#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

namespace altiscope {

namespace {

template <class Json>
Json parse(std::string_view text, std::size_t* errorByte) {
    if (errorByte == nullptr) return Json::parse(text, nullptr, false);
    try {
        return Json::parse(text);
    } catch (const typename Json::parse_error& error) {
        *errorByte = error.byte;
    } catch (const typename Json::exception&) { *errorByte = 0; }
    return Json(Json::value_t::discarded);
}

template <class Json>
std::string plain(const Json& value) {
    return value.is_string() ? value.template get<std::string>() : dumpJson(value);
}

}  // namespace

nlohmann::json parseJson(std::string_view text, std::size_t* errorByte) {
    return parse<nlohmann::json>(text, errorByte);
}

nlohmann::ordered_json parseOrderedJson(std::string_view text, std::size_t* errorByte) {
    return parse<nlohmann::ordered_json>(text, errorByte);
}

bool isJson(std::string_view text) { return nlohmann::json::accept(text); }

std::string dumpJson(const nlohmann::json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string dumpJson(const nlohmann::ordered_json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string plainJson(const nlohmann::json& value) { return plain(value); }

std::string plainJson(const nlohmann::ordered_json& value) { return plain(value); }

}  // namespace altiscope
