#include "core/import/contracts/diagnostic_log.h"

#include "core/base/text/text.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

namespace {

struct Description {
    std::string_view code;
    Severity severity;
};

Description describe(Problem problem) {
    switch (problem) {
    case Problem::BrokenRecord: return {"broken_record", Severity::Lost};
    case Problem::TooLarge: return {"record_too_large", Severity::Lost};
    case Problem::TooDeep: return {"record_too_deep", Severity::Lost};
    case Problem::NotAnEvent: return {"not_an_event", Severity::Lost};
    case Problem::ExtraComma: return {"extra_comma", Severity::Repaired};
    case Problem::MissingComma: return {"missing_comma", Severity::Repaired};
    case Problem::InvalidUtf8: return {"invalid_utf8", Severity::Repaired};
    case Problem::ControlCharacters: return {"control_characters", Severity::Repaired};
    case Problem::BadEscape: return {"bad_escape", Severity::Repaired};
    case Problem::MissingField: return {"missing_field", Severity::Lost};
    case Problem::MissingName: return {"missing_name", Severity::Repaired};
    case Problem::MissingDuration: return {"missing_duration", Severity::Repaired};
    case Problem::MissingThread: return {"missing_thread", Severity::Repaired};
    case Problem::WrongType: return {"wrong_type", Severity::Lost};
    case Problem::OddType: return {"odd_type", Severity::Repaired};
    case Problem::OutOfRange: return {"out_of_range", Severity::Lost};
    case Problem::DurationOutOfRange: return {"duration_out_of_range", Severity::Repaired};
    case Problem::NegativeDuration: return {"negative_duration", Severity::Repaired};
    case Problem::UnknownPhase: return {"unknown_phase", Severity::Lost};
    case Problem::UnknownMetadata: return {"unknown_metadata", Severity::Info};
    case Problem::CounterText: return {"counter_text", Severity::Info};
    case Problem::Cut: return {"trace.cut", Severity::Lost};
    // Lost: what the interrupted writer had not written yet may be half of the run.
    case Problem::Unclosed: return {"trace.unclosed", Severity::Lost};
    case Problem::UnclosedObject: return {"trace.unclosed_object", Severity::Repaired};
    case Problem::TrailingData: return {"trace.trailing_data", Severity::Lost};
    case Problem::TailTooLarge: return {"trace.tail_too_large", Severity::Lost};
    case Problem::NoEvents: return {"trace.no_events", Severity::Info};
    case Problem::RepeatedField: return {"repeated_field", Severity::Lost};
    case Problem::LowPrecision: return {"low_precision", Severity::Info};
    }
    return {};
}

constexpr std::size_t kMaxValueBytes = 80;

}  // namespace

void DiagnosticLog::addValue(Entry& entry, std::string value) {
    const bool isKnown = std::find(entry.values.begin(), entry.values.end(), value) != entry.values.end();
    if (!isKnown && entry.values.size() <= kValues) entry.values.push_back(std::move(value));
}

MessageParameters DiagnosticLog::parametersOf(const Entry& entry) {
    if (entry.name.empty()) return {};
    std::string list;
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
        if (i > 0) list += ", ";
        list += i < kValues ? entry.values[i] : "...";
    }
    return {{entry.name, std::move(list)}};
}

void DiagnosticLog::add(Problem problem, std::uint64_t byte, std::string_view name, std::string_view value) {
    Entry& entry = m_entries[static_cast<std::size_t>(problem)];
    ++entry.count;
    if (!name.empty()) {
        entry.name = name;
        addValue(entry, repairedUtf8(value.substr(0, utf8Prefix(value, kMaxValueBytes))));
    }
    if (entry.bytes.size() < Diagnostic::kSamples) entry.bytes.push_back(byte);
}

void DiagnosticLog::append(const DiagnosticLog& later) {
    for (std::size_t i = 0; i < kProblemCount; ++i) {
        Entry& ours = m_entries[i];
        const Entry& theirs = later.m_entries[i];
        if (ours.count == 0) {
            ours = theirs;
            continue;
        }
        ours.count += theirs.count;
        for (const std::string& value : theirs.values) addValue(ours, value);
        for (const std::uint64_t byte : theirs.bytes) {
            if (ours.bytes.size() < Diagnostic::kSamples) ours.bytes.push_back(byte);
        }
    }
}

void DiagnosticLog::addTo(Diagnostics& diagnostics, std::string_view file) const {
    for (std::size_t i = 0; i < kProblemCount; ++i) {
        const Entry& entry = m_entries[i];
        const auto [code, severity] = describe(static_cast<Problem>(i));
        const MessageParameters parameters = parametersOf(entry);
        for (std::size_t k = 0; k < entry.bytes.size(); ++k) {
            // The last place that is kept stands for all that follow.
            const std::uint64_t count = k + 1 < entry.bytes.size() ? 1 : entry.count - k;
            diagnostics.add(code, severity, file, {PlaceUnit::Byte, entry.bytes[k]}, parameters, count);
        }
    }
}

}  // namespace altiscope::reader
