#pragma once

#include "core/query/database.h"
#include "core/report/mcp/mcp_server.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Arguments of a call of a tool, checked against its parameters.
struct McpArguments {
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, std::int64_t, std::less<>> numbers;

    std::string text(std::string_view name) const;
    std::int64_t number(std::string_view name, std::int64_t otherwise) const;
    bool has(std::string_view name) const { return texts.contains(name) || numbers.contains(name); }
};

struct McpParameter {
    std::string_view name;
    bool isNumber = false;
    bool isRequired = false;
    std::string_view meaning;
};

/// Captures that a server was started with.
class McpCaptures {
public:
    McpCaptures(std::vector<std::string> paths, OpenCapture open)
        : m_paths(std::move(paths)), m_open(std::move(open)) {}

    struct Opened {
        std::shared_ptr<const CaptureStore> capture;
        std::unique_ptr<QueryDatabase> database;
    };
    const std::vector<std::string>& paths() const { return m_paths; }
    /// By its number, from 0. @return Error "mcp.no_capture", or as the opener's.
    Result<const Opened*> open(std::int64_t number);

private:
    std::vector<std::string> m_paths;
    OpenCapture m_open;
    std::map<std::int64_t, Opened> m_opened;
};

struct McpTool {
    std::string_view name;
    std::string_view meaning;
    std::span<const McpParameter> parameters;
    std::string_view outputSchema;  ///< Schema of the text that run() returns.
    /// @return A text of JSON that fits into an answer.
    Result<std::string> (*run)(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel);
};

std::span<const McpTool> mcpTools();

}  // namespace altiscope
