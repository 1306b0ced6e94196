#include "core/report/mcp/mcp_server.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/json_depth.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/report/mcp/mcp_json.h"
#include "core/report/mcp/mcp_library.h"
#include "core/report/mcp/mcp_page.h"
#include "core/report/mcp/mcp_tools.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>

namespace altiscope {

namespace {

// Codes of JSON-RPC 2.0.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602;
/// Code of the Model Context Protocol.
constexpr int kNoResource = -32002;

/// A client's request. Its keys are sorted: in the order of the text, many of one object would take their square.
using McpRequest = nlohmann::json;
/// Requests need 3 levels.
constexpr std::size_t kMaxDepth = 64;
/// Longest id that is a text, in bytes.
constexpr std::size_t kMaxId = 1000;

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
            {"outputSchema", parseOrderedJson(tool.outputSchema)},
            {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}};
}

/// @return A fault of the arguments; empty if there is none.
std::string readArguments(const McpTool& tool, const McpRequest& given, McpArguments& arguments) {
    if (!given.is_object()) return "arguments must be an object";
    for (const auto& [name, value] : given.items()) {
        const auto& known = tool.parameters;
        const auto parameter =
            std::find_if(known.begin(), known.end(), [&n = name](const McpParameter& p) { return p.name == n; });
        if (parameter == known.end()) return "there is no parameter " + name.substr(0, 100);
        if (parameter->isNumber ? !value.is_number_integer() : !value.is_string())
            return name + (parameter->isNumber ? " must be an integer" : " must be a string");
        if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
            return name + " must be below 2^63";
        if ((name == "offset" && value < 0) || (name == "limit" && value < 1))
            return name + (name == "offset" ? " must be 0 or more" : " must be 1 or more");
        if (parameter->isNumber) arguments.numbers[name] = value.get<std::int64_t>();
        else arguments.texts[name] = value.get<std::string>();
    }
    for (const McpParameter& parameter : tool.parameters)
        if (parameter.isRequired && !arguments.has(parameter.name)) return std::string(parameter.name) + " is missing";
    return {};
}

/// The member of an object; null where there is none.
const McpRequest& memberOf(const McpRequest& object, std::string_view name) {
    static const McpRequest kNone;
    if (!object.is_object()) return kNone;
    const auto found = object.find(name);
    return found == object.end() ? kNone : *found;
}

std::string stringOf(const McpRequest& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// Whether a request may have this id.
bool isId(const McpRequest& id) {
    return id.is_number_integer() || (id.is_string() && id.get_ref<const std::string&>().size() <= kMaxId);
}

McpObject contentOf(const std::string& text, bool isError) {
    return {{"content", McpObject::array({{{"type", "text"}, {"text", text}}})}, {"isError", isError}};
}

McpObject resourcesJson() {
    McpObject list = McpObject::array();
    for (const McpResource& resource : mcpResources())
        list.push_back({{"uri", resource.uri},
                        {"name", resource.name},
                        {"description", resource.description},
                        {"mimeType", resource.mimeType}});
    return {{"resources", list}};
}

McpObject readResource(const McpObject& id, const std::string& uri) {
    const auto text = mcpResourceText(uri);
    if (!text) return errorOf(id, kNoResource, "There is no such resource.");
    const auto all = mcpResources();
    const auto known = std::find_if(all.begin(), all.end(), [&](const McpResource& one) { return one.uri == uri; });
    const std::string_view type = known == all.end() ? std::string_view("text/plain") : known->mimeType;
    return resultOf(id, {{"contents", McpObject::array({{{"uri", uri}, {"mimeType", type}, {"text", *text}}})}});
}

McpObject promptsJson() {
    McpObject list = McpObject::array();
    for (const McpPrompt& prompt : mcpPrompts())
        list.push_back({{"name", prompt.name},
                        {"description", prompt.description},
                        {"arguments", McpObject::array({{{"name", "capture"},
                                                         {"description", "Number of the capture; 0 by default"},
                                                         {"required", false}}})}});
    return {{"prompts", list}};
}

McpObject givePrompt(const McpObject& id, const McpRequest& params) {
    const std::string name = stringOf(memberOf(params, "name"));
    const auto prompts = mcpPrompts();
    const auto prompt =
        std::find_if(prompts.begin(), prompts.end(), [&](const McpPrompt& one) { return one.name == name; });
    if (prompt == prompts.end()) return errorOf(id, kInvalidParams, "There is no prompt of that name.");
    static constexpr std::string_view kPlace = "{capture}";
    std::string text(prompt->text);
    const std::string given = stringOf(memberOf(memberOf(params, "arguments"), "capture"));
    // Nothing but a number becomes a part of what the assistant is asked.
    const auto number = given.empty() ? std::optional<std::int64_t>(0) : wholeNumber(given);
    if (!number) return errorOf(id, kInvalidParams, "capture must be a number");
    text.replace(text.find(kPlace), kPlace.size(), std::to_string(*number));
    return resultOf(
        id, {{"description", prompt->description},
             {"messages", McpObject::array({{{"role", "user"}, {"content", {{"type", "text"}, {"text", text}}}}})}});
}

}  // namespace

struct McpServer::Impl {
    /// A request that is worked on.
    struct Current {
        std::string id;  ///< As JSON: 1 and "1" are two.
        CancelToken token;
        bool isUnwanted = false;  ///< The client has said so.
    };
    /// Ids of requests that have not come yet; more are forgotten.
    static constexpr std::size_t kMaxUnwanted = 1000;
    /// Messages of one list.
    static constexpr std::size_t kMaxTogether = 50;

    McpCaptures captures;
    std::string version;
    CancelToken cancel;
    std::mutex mutex{};
    std::optional<Current> current{};
    std::set<std::string> unwanted{};
    bool isStopped = false;
    std::string structured{};  // JSON of the answer to a call, as it goes beside the text of it

    /// @return nullopt if the request is cancelled already.
    std::optional<CancelToken> begin(const std::string& id) {
        const std::lock_guard lock(mutex);
        if (unwanted.erase(id) > 0) return std::nullopt;
        current.emplace(Current{id, {}, false});
        if (isStopped || cancel.cancelled()) current->token.requestCancel();
        return current->token;
    }
    /// @return Whether the answer is still wanted.
    bool end() {
        const std::lock_guard lock(mutex);
        const bool isWanted = !current->isUnwanted;
        current.reset();
        return isWanted;
    }

    std::optional<McpObject> answerOf(const McpRequest& request);
    std::optional<std::string> answerText(const McpRequest& request, std::size_t most);

    McpObject initialized(const McpRequest& params) const {
        const std::string wanted = stringOf(memberOf(params, "protocolVersion"));
        const bool isKnown = std::find(std::begin(kVersions), std::end(kVersions), wanted) != std::end(kVersions);
        return {
            {"protocolVersion", isKnown ? wanted : std::string(kVersions[0])},
            {"capabilities",
             {{"tools", McpObject::object()}, {"resources", McpObject::object()}, {"prompts", McpObject::object()}}},
            {"serverInfo", {{"name", "altiscope"}, {"version", version}}},
            {"instructions", "Profiles of Ascend NPUs, read-only. Begin with captures, describe and findings; answers "
                             "with next_offset continue at that offset."}};
    }

    McpObject listed() const {
        McpObject tools = McpObject::array();
        for (const McpTool& tool : mcpTools()) tools.push_back(toolJson(tool));
        return {{"tools", tools}};
    }

    McpObject called(const McpObject& id, const McpRequest& params, const CancelToken& token) {
        structured.clear();
        const std::string name = stringOf(memberOf(params, "name"));
        const auto tools = mcpTools();
        const auto tool = std::find_if(tools.begin(), tools.end(), [&](const McpTool& t) { return t.name == name; });
        if (tool == tools.end()) return errorOf(id, kInvalidParams, "There is no tool of that name.");
        McpArguments arguments;
        const bool hasArguments = params.contains("arguments");
        const McpRequest& given = hasArguments ? params["arguments"] : McpRequest::object();
        if (const std::string wrong = readArguments(*tool, given, arguments); !wrong.empty())
            return errorOf(id, kInvalidParams, wrong);
        const auto result = tool->run(captures, arguments, token);
        if (result.cancelled()) return errorOf(id, -32000, "Cancelled.");
        if (result.failed()) {
            const std::string sentence = errorText(result.error(), "en");
            return resultOf(id, contentOf(sentence.substr(0, utf8Prefix(sentence, kMaxMcpValue)), true));
        }
        structured = result.value();
        return resultOf(id, contentOf(result.value(), false));
    }

    McpObject answered(const McpObject& id, const std::string& method, const McpRequest& params,
                       const CancelToken& token) {
        if (method == "initialize") return resultOf(id, initialized(params));
        if (method == "ping") return resultOf(id, McpObject::object());
        static constexpr std::string_view kLists[] = {"tools/list", "resources/list", "resources/templates/list",
                                                      "prompts/list"};
        // All of them stand on one page.
        const bool isList = std::find(std::begin(kLists), std::end(kLists), method) != std::end(kLists);
        if (isList && params.contains("cursor")) return errorOf(id, kInvalidParams, "There is no such cursor.");
        if (method == "tools/list") return resultOf(id, listed());
        if (method == "tools/call") return called(id, params, token);
        if (method == "resources/list") return resultOf(id, resourcesJson());
        if (method == "resources/templates/list") return resultOf(id, {{"resourceTemplates", McpObject::array()}});
        if (method == "resources/read") return readResource(id, stringOf(memberOf(params, "uri")));
        if (method == "prompts/list") return resultOf(id, promptsJson());
        if (method == "prompts/get") return givePrompt(id, params);
        return errorOf(id, kMethodNotFound, "There is no such method.");
    }
};

McpServer::McpServer(std::vector<std::string> captures, OpenCapture open, std::string version, CancelToken cancel)
    : m_impl(new Impl{McpCaptures(std::move(captures), std::move(open)), std::move(version), std::move(cancel)}) {}

McpServer::~McpServer() = default;

bool McpServer::takeCancellation(std::string_view message) {
    static constexpr std::string_view kMethod = "notifications/cancelled";
    // Each message passes here first: hardly any is one.
    if (message.find(kMethod) == std::string_view::npos) return false;
    // answer() refuses it.
    if (message.size() > kMaxMessage || isNestedDeeper(message, kMaxDepth)) return false;
    const McpRequest notice = parseJson(message);
    if (!notice.is_object() || notice.contains("id") || stringOf(memberOf(notice, "method")) != kMethod) return false;
    const McpRequest& wanted = memberOf(memberOf(notice, "params"), "requestId");
    if (!isId(wanted)) return true;
    const std::string id = dumpJson(wanted);
    const std::lock_guard lock(m_impl->mutex);
    if (m_impl->current && m_impl->current->id == id) {
        m_impl->current->isUnwanted = true;
        m_impl->current->token.requestCancel();
    } else if (m_impl->unwanted.size() < Impl::kMaxUnwanted) {
        m_impl->unwanted.insert(id);
    }
    return true;
}

void McpServer::stop() {
    const std::lock_guard lock(m_impl->mutex);
    m_impl->isStopped = true;
    if (m_impl->current) m_impl->current->token.requestCancel();
}

std::optional<McpObject> McpServer::Impl::answerOf(const McpRequest& request) {
    if (!request.is_object()) return errorOf(nullptr, kInvalidRequest, "The message is not a request.");
    // No request of the server waits for a response.
    if (!request.contains("method") && (request.contains("result") || request.contains("error"))) return std::nullopt;
    const McpRequest& id = memberOf(request, "id");
    const McpObject known = isId(id) ? McpObject(id) : McpObject();
    const McpRequest& method = memberOf(request, "method");
    if (!method.is_string()) return errorOf(known, kInvalidRequest, "The message is not a request.");
    if (!request.contains("id")) return std::nullopt;
    if (!isId(id)) return errorOf(nullptr, kInvalidRequest, "The id is neither a number nor a short string.");
    const auto token = begin(dumpJson(id));
    if (!token) return std::nullopt;
    McpObject answer = answered(known, method.get<std::string>(), memberOf(request, "params"), *token);
    return end() ? std::optional(std::move(answer)) : std::nullopt;
}

std::optional<std::string> McpServer::Impl::answerText(const McpRequest& request, std::size_t most) {
    const auto answer = answerOf(request);
    std::string beside = std::exchange(structured, {});
    if (!answer) return std::nullopt;
    std::string text = dumpJson(*answer);
    // As it is, not parsed: numbers beyond doubles stay what they are. Ends of lines, which are none of texts, would
    // end the message. It goes before the ends of result and answer.
    std::erase(beside, '\n');
    if (!beside.empty()) text.insert(text.size() - 2, ",\"structuredContent\":" + beside);
    if (text.size() <= most) return text;
    return dumpJson(resultOf((*answer)["id"],
                             contentOf("The answer is too long; ask for less, with limit or fewer columns.", true)));
}

std::optional<std::string> McpServer::answer(std::string_view message) {
    if (message.size() > kMaxMessage)
        return dumpJson(errorOf(nullptr, kInvalidRequest, "The message has more than 2 MB."));
    if (isNestedDeeper(message, kMaxDepth))
        return dumpJson(errorOf(nullptr, kInvalidRequest, "The message is nested too deep."));
    const McpRequest request = parseJson(message);
    if (request.is_discarded()) return dumpJson(errorOf(nullptr, kParseError, "The message is not JSON."));
    if (!request.is_array() || request.empty()) return m_impl->answerText(request, kMaxMcpAnswer);
    if (request.size() > Impl::kMaxTogether)
        return dumpJson(errorOf(nullptr, kInvalidRequest, "The list has too many messages."));
    // Each may take what those before it have left, but for the shortest that those after it need.
    static constexpr std::size_t kShortest = 1500;
    std::string all;
    for (std::size_t i = 0; i < request.size(); ++i) {
        const std::size_t kept = all.size() + (request.size() - i) * kShortest;
        const auto one = m_impl->answerText(request[i], kMaxMcpAnswer > kept ? kMaxMcpAnswer - kept : 0);
        if (one) all += (all.empty() ? "" : ",") + *one;
    }
    return all.empty() ? std::nullopt : std::optional("[" + all + "]");
}

}  // namespace altiscope
