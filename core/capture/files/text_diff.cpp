#include "core/capture/files/text_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope::capture {

namespace {

constexpr std::size_t kAround = 3;
constexpr std::size_t kMaxCells = 4'000'000;

using Lines = std::vector<std::string_view>;

Lines linesOf(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end == std::string_view::npos ? text.size() : end + 1));
        text.remove_prefix(lines.back().size());
    }
    return lines;
}

struct DiffLine {
    char mark;  ///< ' ', '-' or '+'.
    std::string_view text;
};

/// All lines of both texts, in order.
std::vector<DiffLine> script(const Lines& a, const Lines& b) {
    std::size_t head = 0, tail = 0;
    while (head < std::min(a.size(), b.size()) && a[head] == b[head]) ++head;
    while (tail < std::min(a.size(), b.size()) - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
    const std::size_t rows = a.size() - head - tail, columns = b.size() - head - tail;
    // Longest common part of what follows each pair of lines.
    const bool small = (rows + 1) * (columns + 1) <= kMaxCells;
    std::vector<std::uint32_t> common(small ? (rows + 1) * (columns + 1) : 0);
    const auto cell = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (columns + 1) + j]; };
    for (std::size_t i = small ? rows : 0; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            cell(i, j) = a[head + i] == b[head + j] ? cell(i + 1, j + 1) + 1 : std::max(cell(i + 1, j), cell(i, j + 1));
        }
    }
    std::vector<DiffLine> lines;
    for (std::size_t i = 0; i < head; ++i) lines.push_back({' ', a[i]});
    std::size_t i = 0, j = 0;
    while (i < rows || j < columns) {
        if (small && i < rows && j < columns && a[head + i] == b[head + j]) {
            lines.push_back({' ', a[head + i]});
            ++i, ++j;
        } else if (i < rows && (!small || j == columns || cell(i + 1, j) >= cell(i, j + 1))) {
            lines.push_back({'-', a[head + i++]});
        } else {
            lines.push_back({'+', b[head + j++]});
        }
    }
    for (std::size_t k = a.size() - tail; k < a.size(); ++k) lines.push_back({' ', a[k]});
    return lines;
}

std::string hunkRange(std::size_t start, std::size_t count) {
    return std::to_string(count == 0 ? start : start + 1) + "," + std::to_string(count);
}

}  // namespace

std::string unifiedDiff(std::string_view before, std::string_view after, std::string_view name) {
    if (before == after) return {};
    const auto lines = script(linesOf(before), linesOf(after));
    std::string text = "--- " + std::string(name) + "\n+++ " + std::string(name) + "\n";
    const auto nextChange = [&](std::size_t from) {
        while (from < lines.size() && lines[from].mark == ' ') ++from;
        return from;
    };
    std::size_t done = 0, oldLine = 0, newLine = 0;
    for (std::size_t change = nextChange(0); change < lines.size(); change = nextChange(done)) {
        const std::size_t begin = std::max(done, change - std::min(change, kAround));
        oldLine += begin - done;
        newLine += begin - done;
        std::size_t end = change;
        for (std::size_t next = change; next < lines.size() && next <= end + 2 * kAround; next = nextChange(next + 1))
            end = next;
        end = std::min(end + 1 + kAround, lines.size());
        std::string body;
        std::size_t oldCount = 0, newCount = 0;
        for (std::size_t i = begin; i < end; ++i) {
            oldCount += lines[i].mark != '+';
            newCount += lines[i].mark != '-';
            body += lines[i].mark + std::string(lines[i].text);
            if (!lines[i].text.ends_with('\n')) body += "\n\\ No newline at end of file\n";
        }
        text += "@@ -" + hunkRange(oldLine, oldCount) + " +" + hunkRange(newLine, newCount) + " @@\n" + body;
        oldLine += oldCount;
        newLine += newCount;
        done = end;
    }
    return text;
}

}  // namespace altiscope::capture
