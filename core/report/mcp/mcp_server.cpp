#include "core/report/mcp/mcp_server.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/report/mcp/mcp_json.h"
#include "core/report/mcp/mcp_page.h"
#include "core/report/mcp/mcp_tools.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>

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
        if ((name == "offset" && value < 0) || (name == "limit" && value < 1))
            return name + (name == "offset" ? " must be 0 or more" : " must be 1 or more");
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

    std::optional<McpObject> answerOf(const McpObject& request);
    std::optional<std::string> textOf(const McpObject& request, std::size_t most);

    McpObject initialized(const McpObject& params) const {
        const std::string wanted = params.is_object() ? params.value("protocolVersion", std::string()) : std::string();
        const bool isKnown = std::find(std::begin(kVersions), std::end(kVersions), wanted) != std::end(kVersions);
        return {{"protocolVersion", isKnown ? wanted : std::string(kVersions[0])},
                {"capabilities", {{"tools", McpObject::object()}}},
                {"serverInfo", {{"name", "altiscope"}, {"version", version}}},
                {"instructions",
                 "Profiles of Ascend NPUs, read-only. Begin with captures, describe and findings; answers "
                 "with next_offset continue at that offset."}};
    }

    McpObject listed() const {
        McpObject tools = McpObject::array();
        for (const McpTool& tool : mcpTools()) tools.push_back(toolJson(tool));
        return {{"tools", tools}};
    }

    McpObject called(const McpObject& id, const McpObject& params, const CancelToken& token) {
        const bool isNamed = params.is_object() && params.contains("name") && params["name"].is_string();
        const std::string name = isNamed ? params["name"].get<std::string>() : std::string();
        const auto tools = mcpTools();
        const auto tool = std::find_if(tools.begin(), tools.end(), [&](const McpTool& t) { return t.name == name; });
        if (tool == tools.end()) return errorOf(id, kInvalidParams, "There is no tool of that name.");
        McpArguments arguments;
        const McpObject given = params.contains("arguments") ? params["arguments"] : McpObject::object();
        if (const std::string wrong = readArguments(*tool, given, arguments); !wrong.empty())
            return errorOf(id, kInvalidParams, wrong);
        const auto result = tool->run(captures, arguments, token);
        if (result.cancelled()) return errorOf(id, -32000, "Cancelled.");
        if (result.failed()) {
            const std::string sentence = errorText(result.error(), "en");
            return resultOf(id, contentOf(sentence.substr(0, utf8Prefix(sentence, kMaxMcpValue)), true));
        }
        return resultOf(id, contentOf(result.value(), false));
    }

    McpObject answered(const McpObject& id, const std::string& method, const McpObject& params,
                       const CancelToken& token) {
        if (method == "initialize") return resultOf(id, initialized(params));
        if (method == "ping") return resultOf(id, McpObject::object());
        if (method == "tools/list") {
            // All of them stand on one page.
            if (params.is_object() && params.contains("cursor"))
                return errorOf(id, kInvalidParams, "There is no such cursor.");
            return resultOf(id, listed());
        }
        if (method == "tools/call") return called(id, params, token);
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
    const McpObject notice = parseOrderedJson(message);
    if (!notice.is_object() || notice.contains("id")) return false;
    const auto method = notice.find("method");
    if (method == notice.end() || *method != McpObject(std::string(kMethod))) return false;
    const auto params = notice.find("params");
    if (params == notice.end() || !params->is_object() || !params->contains("requestId")) return true;
    const std::string id = dumpJson((*params)["requestId"]);
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

std::optional<McpObject> McpServer::Impl::answerOf(const McpObject& request) {
    if (!request.is_object()) return errorOf(nullptr, kInvalidRequest, "The message is not a request.");
    // No request of the server waits for a response.
    if (!request.contains("method") && (request.contains("result") || request.contains("error"))) return std::nullopt;
    const McpObject id = request.contains("id") ? request["id"] : McpObject();
    const bool isId = id.is_number_integer() || (id.is_string() && id.get<std::string>().size() <= 1000);
    if (!request.contains("method") || !request["method"].is_string())
        return errorOf(isId ? id : McpObject(), kInvalidRequest, "The message is not a request.");
    if (!request.contains("id")) return std::nullopt;
    if (!isId) return errorOf(nullptr, kInvalidRequest, "The id is neither a number nor a short string.");
    const McpObject params = request.contains("params") ? request["params"] : McpObject::object();
    const auto token = begin(dumpJson(id));
    if (!token) return std::nullopt;
    McpObject answer = answered(id, request["method"].get<std::string>(), params, *token);
    return end() ? std::optional(std::move(answer)) : std::nullopt;
}

std::optional<std::string> McpServer::Impl::textOf(const McpObject& request, std::size_t most) {
    const auto answer = answerOf(request);
    if (!answer) return std::nullopt;
    std::string text = dumpJson(*answer);
    if (text.size() <= most) return text;
    return dumpJson(resultOf((*answer)["id"],
                             contentOf("The answer is too long; ask for less, with limit or fewer columns.", true)));
}

std::optional<std::string> McpServer::answer(std::string_view message) {
    const McpObject request = parseOrderedJson(message);
    if (request.is_discarded()) return dumpJson(errorOf(nullptr, kParseError, "The message is not JSON."));
    if (!request.is_array() || request.empty()) return m_impl->textOf(request, kMaxMcpAnswer);
    if (request.size() > Impl::kMaxTogether)
        return dumpJson(errorOf(nullptr, kInvalidRequest, "The list has too many messages."));
    // Each may take what those before it have left, but for the shortest that those after it need.
    static constexpr std::size_t kShortest = 1500;
    std::string all;
    for (std::size_t i = 0; i < request.size(); ++i) {
        const std::size_t kept = all.size() + (request.size() - i) * kShortest;
        const auto one = m_impl->textOf(request[i], kMaxMcpAnswer > kept ? kMaxMcpAnswer - kept : 0);
        if (one) all += (all.empty() ? "" : ",") + *one;
    }
    return all.empty() ? std::nullopt : std::optional("[" + all + "]");
}

}  // namespace altiscope
