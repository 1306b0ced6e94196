#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// A text that a client may read: the manual by page, the tables, the formulas.
struct McpResource {
    std::string uri, name, description;
    std::string_view mimeType;
};
std::vector<McpResource> mcpResources();
/// nullopt where there is none of that address. At most 60 kB.
std::optional<std::string> mcpResourceText(std::string_view uri);

/// A beginning of a conversation that users choose.
struct McpPrompt {
    std::string_view name, description;
    /// Stands for "{capture}" in the text: the number of a capture, 0 by default.
    std::string_view text;
};
std::span<const McpPrompt> mcpPrompts();

/// Documents as they were when the program was built (packaging/cmake/EmbedText.cmake).
std::string_view embeddedFormulas();
/// Before each page stands a form feed and its name, which ends with a line end.
std::string_view embeddedManual();

}  // namespace altiscope
