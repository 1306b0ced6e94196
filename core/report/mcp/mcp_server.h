#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/query/database.h"
#include "core/store/capture_store.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Opens a capture by its path.
using OpenCapture = std::function<Result<std::shared_ptr<const CaptureStore>>(const std::string& path)>;

/// The Model Context Protocol over lines of JSON-RPC 2.0: read-only tools that look into captures. Captures are opened
/// when a tool first needs them, and stay open. One thread, but for what says otherwise.
/// Source: https://modelcontextprotocol.io/specification/2025-06-18 (lifecycle, tools, transport "stdio").
class McpServer {
public:
    /// Longest message that is read, in bytes.
    static constexpr std::size_t kMaxMessage = 2'000'000;

    McpServer(std::vector<std::string> captures, OpenCapture open, std::string version, CancelToken cancel);
    ~McpServer();
    McpServer(const McpServer&) = delete;
    McpServer& operator=(const McpServer&) = delete;

    /// Whether a message says that an earlier one is not wanted any more (notifications/cancelled); then work on that
    /// stops, or never begins, and it gets no answer. Any thread, also while answer() runs.
    bool takeCancellation(std::string_view message);
    /// Stops what answer() is doing. Any thread.
    void stop();

    /// The answer to one message, without the end of the line; nullopt if it needs none (notifications, answers, what
    /// was cancelled). A list of messages, as the protocol of 2025-03-26 allows, has a list of answers.
    /// At most kMaxMcpAnswer bytes. Run it inside a WorkerArena.
    std::optional<std::string> answer(std::string_view message);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace altiscope
