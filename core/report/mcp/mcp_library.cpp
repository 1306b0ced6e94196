#include "core/report/mcp/mcp_library.h"

#include "core/base/text/text.h"
#include "core/query/schema/schema_text.h"

namespace altiscope {

namespace {

constexpr std::string_view kScheme = "altiscope://", kPages = "altiscope://manual/";
constexpr std::size_t kMaxText = 60'000;

/// Calls take(name, text) for each page of the manual.
template <class Take>
void eachPage(const Take& take) {
    std::string_view rest = embeddedManual();
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::size_t line = rest.find('\n'), end = std::min(rest.find('\f'), rest.size());
        take(rest.substr(0, line), rest.substr(line + 1, end - line - 1));
        rest.remove_prefix(end);
    }
}

constexpr McpPrompt kPrompts[] = {
    {"first_look", "What a capture holds, and what costs its steps the most",
     "Look at capture {capture}. Call describe, then findings (severity high, then medium), then report with the "
     "section steps. Say in five sentences what was recorded, how long a step takes, what it is made of, and what "
     "costs the most; name the evidence of each statement. Mind the traps that describe lists."},
    {"slow_step", "Why some steps or ranks of a capture are slower than others",
     "In capture {capture}, read step_breakdown (one origin) by step and rank with the tool sql. Find the steps and "
     "ranks that differ from the rest by more than their spread. Compare such a step with a usual one: the tool "
     "compare "
     "with this capture as base and current, and base_steps, steps or base_ranks, ranks. Follow the largest change to "
     "its kernels, operators (view kernel_chain) or collectives (view wait). Name the cause only if rows prove it."},
    {"idle_device", "What the device waits for",
     "In capture {capture}, find the longest gaps of the device: gaps('SELECT rank_id, ts, dur FROM kernel', "
     "'rank_id'). For the ten longest of a rank say what the host did meanwhile (tool slices with that time) and which "
     "launch ended the gap (views launch and kernel_chain). Sum up by cause."},
};

}  // namespace

std::vector<McpResource> mcpResources() {
    std::vector<McpResource> list{{std::string(kScheme) + "schema", "schema",
                                   "All tables, views and functions of SQL with units and meanings", "text/plain"},
                                  {std::string(kScheme) + "formulas", "formulas",
                                   "How each computed number is made, with its source", "text/markdown"}};
    eachPage([&list](std::string_view name, std::string_view text) {
        const std::string title(text.substr(0, text.find('\n')));
        list.push_back({std::string(kPages) + std::string(name), "manual: " + std::string(name),
                        title.starts_with("# ") ? title.substr(2) : title, "text/markdown"});
    });
    return list;
}

std::optional<std::string> mcpResourceText(std::string_view uri) {
    std::optional<std::string> found;
    if (uri == std::string(kScheme) + "schema") found = schemaText();
    else if (uri == std::string(kScheme) + "formulas") found = std::string(embeddedFormulas());
    else if (uri.starts_with(kPages))
        eachPage([&](std::string_view name, std::string_view text) {
            if (name == uri.substr(kPages.size())) found = std::string(text);
        });
    if (found && found->size() > kMaxText) found->resize(utf8Prefix(*found, kMaxText));
    return found;
}

std::span<const McpPrompt> mcpPrompts() { return kPrompts; }

}  // namespace altiscope
