#include "core/report/mcp/mcp_server.h"

#include "core/base/catalogue.h"
#include "core/base/text.h"
#include "core/report/mcp/mcp_json.h"
#include "core/report/mcp/mcp_page.h"
#include "core/report/mcp/mcp_tools.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

// Codes of JSON-RPC 2.0.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602;

/// The newest first.
constexpr std::string_view kVersions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

McpObject resultOf(const McpObject& id, McpObject result) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}
McpObject errorOf(const McpObject& id, int code, const std::string& message) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

McpObject toolJson(const McpTool& tool) {
    McpObject properties = McpObject::object(), required = McpObject::array();
    for (const McpParameter& parameter : tool.parameters) {
        properties[parameter.name] = {{"type", parameter.isNumber ? "integer" : "string"},
                                      {"description", parameter.meaning}};
        if (parameter.isRequired) required.push_back(parameter.name);
    }
    return {{"name", tool.name},
            {"description", tool.meaning},
            {"inputSchema", {{"type", "object"}, {"properties", properties}, {"required", required}}},
            {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}};
}

/// @return What is wrong; empty if nothing is.
std::string readArguments(const McpTool& tool, const McpObject& given, McpArguments& arguments) {
    if (!given.is_object()) return "arguments must be an object";
    for (const auto& [name, value] : given.items()) {
        const auto& known = tool.parameters;
        const auto parameter =
            std::find_if(known.begin(), known.end(), [&n = name](const McpParameter& p) { return p.name == n; });
        if (parameter == known.end()) return "there is no parameter " + name.substr(0, 100);
        if (parameter->isNumber ? !value.is_number_integer() : !value.is_string())
            return name + (parameter->isNumber ? " must be an integer" : " must be a string");
        if (parameter->isNumber) arguments.numbers[name] = value.get<std::int64_t>();
        else arguments.texts[name] = value.get<std::string>();
    }
    for (const McpParameter& parameter : tool.parameters)
        if (parameter.isRequired && !arguments.has(parameter.name)) return std::string(parameter.name) + " is missing";
    return {};
}

McpObject contentOf(const std::string& text, bool isError) {
    return {{"content", McpObject::array({{{"type", "text"}, {"text", text}}})}, {"isError", isError}};
}

}  // namespace

struct McpServer::Impl {
    McpCaptures captures;
    std::string version;
    CancelToken cancel;

    McpObject initialized(const McpObject& params) const {
        const std::string wanted = params.is_object() ? params.value("protocolVersion", std::string()) : std::string();
        const bool isKnown = std::find(std::begin(kVersions), std::end(kVersions), wanted) != std::end(kVersions);
        return {{"protocolVersion", isKnown ? wanted : std::string(kVersions[0])},
                {"capabilities", {{"tools", McpObject::object()}}},
                {"serverInfo", {{"name", "altiscope"}, {"version", version}}},
                {"instructions",
                 "Profiles of Ascend NPUs, read-only. Begin with captures, describe and findings; answers "
                 "with next_offset go on with that offset."}};
    }

    McpObject listed() const {
        McpObject tools = McpObject::array();
        for (const McpTool& tool : mcpTools()) tools.push_back(toolJson(tool));
        return {{"tools", tools}};
    }

    McpObject called(const McpObject& id, const McpObject& params) {
        const bool isNamed = params.is_object() && params.contains("name") && params["name"].is_string();
        const std::string name = isNamed ? params["name"].get<std::string>() : std::string();
        const auto tools = mcpTools();
        const auto tool = std::find_if(tools.begin(), tools.end(), [&](const McpTool& t) { return t.name == name; });
        if (tool == tools.end()) return errorOf(id, kInvalidParams, "There is no tool of that name.");
        McpArguments arguments;
        const McpObject given = params.contains("arguments") ? params["arguments"] : McpObject::object();
        if (const std::string wrong = readArguments(*tool, given, arguments); !wrong.empty())
            return errorOf(id, kInvalidParams, wrong);
        const auto result = tool->run(captures, arguments, cancel);
        if (result.cancelled()) return errorOf(id, -32000, "Cancelled.");
        if (result.failed()) {
            const std::string sentence = errorText(result.error(), "en");
            return resultOf(id, contentOf(sentence.substr(0, utf8Prefix(sentence, kMaxMcpValue)), true));
        }
        return resultOf(id, contentOf(result.value(), false));
    }

    McpObject answered(const McpObject& id, const std::string& method, const McpObject& params) {
        if (method == "initialize") return resultOf(id, initialized(params));
        if (method == "ping") return resultOf(id, McpObject::object());
        if (method == "tools/list") return resultOf(id, listed());
        if (method == "tools/call") return called(id, params);
        return errorOf(id, kMethodNotFound, "There is no such method.");
    }
};

McpServer::McpServer(std::vector<std::string> captures, OpenCapture open, std::string version, CancelToken cancel)
    : m_impl(new Impl{McpCaptures(std::move(captures), std::move(open)), std::move(version), std::move(cancel)}) {}

McpServer::~McpServer() = default;

std::optional<std::string> McpServer::answer(std::string_view message) {
    const McpObject request = McpObject::parse(message, nullptr, false);
    if (request.is_discarded()) return mcpText(errorOf(nullptr, kParseError, "The message is no JSON."));
    const bool isRequest = request.is_object() && request.contains("method") && request["method"].is_string();
    // An answer to something that was never asked needs none.
    if (request.is_object() && !request.contains("method") && request.contains("id")) return std::nullopt;
    if (!isRequest) return mcpText(errorOf(nullptr, kInvalidRequest, "The message is no request."));
    if (!request.contains("id")) return std::nullopt;
    const McpObject& id = request["id"];
    const bool isId = id.is_number_integer() || (id.is_string() && id.get<std::string>().size() <= 1000);
    if (!isId) return mcpText(errorOf(nullptr, kInvalidRequest, "The id is no number and no short string."));
    const McpObject params = request.contains("params") ? request["params"] : McpObject::object();
    const std::string text = mcpText(m_impl->answered(id, request["method"].get<std::string>(), params));
    if (text.size() <= kMaxMcpAnswer) return text;
    return mcpText(resultOf(id, contentOf("The answer is too long; ask for less, with limit or fewer columns.", true)));
}

}  // namespace altiscope
