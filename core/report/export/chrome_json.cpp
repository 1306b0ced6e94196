#include "core/report/export/chrome_json.h"

#include "core/base/text/strict_json.h"
#include "core/base/text/text.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Below 2^53, so that readers which keep numbers as doubles keep it too.
constexpr std::size_t kExactDigits = 15;

bool isPlainInteger(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    if (text.empty() || text.size() > kExactDigits || (text.size() > 1 && text.front() == '0')) return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string chromeId(std::string_view id) {
    return isPlainInteger(id) && id != "-0" ? std::string(id) : jsonQuoted(id);
}

void ChromeWriter::begin(char phase, std::string_view name, Thread thread) {
    m_out.add(",\n{\"ph\":\"");
    m_out.add(phase);
    m_out.add("\",\"name\":");
    m_out.addQuoted(name);
    m_out.add(",\"pid\":");
    m_out.add(thread.process);
    if (thread.thread.empty()) return;
    m_out.add(",\"tid\":");
    m_out.add(thread.thread);
}

void ChromeWriter::time(TimeNs time) {
    m_out.add(",\"ts\":");
    m_out.addTime(time);
}

void ChromeWriter::category(std::string_view category) {
    if (category.empty()) return;
    m_out.add(",\"cat\":");
    m_out.addQuoted(category);
}

void ChromeWriter::end(std::string_view arguments) {
    if (!arguments.empty()) {
        m_out.add(",\"args\":");
        const bool odd =
            arguments.find("NaN") != std::string_view::npos || arguments.find("Infinity") != std::string_view::npos;
        odd ? m_out.add(strictJson(arguments)) : m_out.add(arguments);
    }
    m_out.add('}');
}

void ChromeWriter::beginMetadata(std::string_view key, Thread thread, std::string_view argument) {
    begin('M', key, thread);
    m_out.add(",\"args\":{");
    m_out.addQuoted(argument);
    m_out.add(':');
}

void ChromeWriter::metadata(std::string_view key, Thread thread, std::string_view argument, std::string_view text) {
    beginMetadata(key, thread, argument);
    m_out.addQuoted(text);
    m_out.add("}}");
}

void ChromeWriter::metadata(std::string_view key, Thread thread, std::string_view argument, std::int64_t number) {
    beginMetadata(key, thread, argument);
    m_out.addNumber(number);
    m_out.add("}}");
}

void ChromeWriter::slice(const Slice& slice, Thread thread) {
    begin('X', slice.name, thread);
    time(slice.begin);
    m_out.add(",\"dur\":");
    m_out.addDuration(slice.duration);
    category(slice.category);
    if (!slice.colour.empty()) {
        m_out.add(",\"cname\":");
        m_out.addQuoted(slice.colour);
    }
    end(slice.arguments);
}

void ChromeWriter::instant(std::string_view name, Thread thread, TimeNs at, std::string_view arguments) {
    begin('i', name, thread);
    time(at);
    m_out.add(",\"s\":\"t\"");
    end(arguments);
}

void ChromeWriter::flowEnd(bool isStart, std::string_view category_, std::uint64_t id, Thread thread, TimeNs at) {
    begin(isStart ? 's' : 'f', category_, thread);
    time(at);
    category(category_);
    if (!isStart) m_out.add(",\"bp\":\"e\"");
    m_out.add(",\"id\":");
    m_out.addNumber(id);
    m_out.add('}');
}

void ChromeWriter::beginCounter(std::string_view name, std::string_view process, TimeNs at) {
    begin('C', name, {process, {}});
    time(at);
    m_out.add(",\"args\":{");
    m_firstValue = true;
}

void ChromeWriter::counterValue(std::string_view series, double value) {
    if (!m_firstValue) m_out.add(',');
    m_firstValue = false;
    m_out.addQuoted(series);
    m_out.add(':');
    m_out.addDouble(value);
}

void ChromeWriter::endCounter() { m_out.add("}}"); }

}  // namespace altiscope
