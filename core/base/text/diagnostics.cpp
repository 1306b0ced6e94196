#include "core/base/text/diagnostics.h"

#include "core/base/text/catalogue.h"

#include <algorithm>

namespace altiscope {

std::string_view severityName(Severity severity) {
    switch (severity) {
    case Severity::Info: return "info";
    case Severity::Repaired: return "repaired";
    case Severity::Lost: return "lost";
    }
    return {};
}

std::string Place::text() const {
    switch (unit) {
    case PlaceUnit::Whole: return {};
    case PlaceUnit::Byte: return "byte " + std::to_string(value);
    case PlaceUnit::Row: return "row " + std::to_string(value);
    }
    return {};
}

std::string Diagnostic::message(std::string_view language) const {
    return errorText({code, file, places.empty() ? std::string() : places.front().text(), parameters}, language);
}

namespace {

void keepFirst(std::vector<Place>& places, Place place) {
    places.insert(std::upper_bound(places.begin(), places.end(), place), place);
    if (places.size() > Diagnostic::kSamples) places.pop_back();
}

}  // namespace

void Diagnostics::add(std::string_view code, Severity severity, std::string_view file, Place place,
                      const MessageParameters& parameters, std::uint64_t count) {
    auto [it, isNew] = m_entries.try_emplace({std::string(file), std::string(code)});
    Diagnostic& entry = it->second;
    if (isNew) {
        entry.code = code;
        entry.severity = severity;
        entry.file = file;
    }
    if (isNew || place < entry.places.front()) entry.parameters = parameters;
    entry.severity = std::max(entry.severity, severity);
    entry.count += count;
    keepFirst(entry.places, place);
}

void Diagnostics::merge(const Diagnostics& other) {
    for (const auto& [key, theirs] : other.m_entries) {
        auto [it, isNew] = m_entries.try_emplace(key, theirs);
        if (isNew) continue;
        Diagnostic& ours = it->second;
        if (theirs.places.front() < ours.places.front()) ours.parameters = theirs.parameters;
        ours.severity = std::max(ours.severity, theirs.severity);
        ours.count += theirs.count;
        for (const Place& place : theirs.places) keepFirst(ours.places, place);
    }
}

void Diagnostics::forget(std::string_view file) {
    const auto first = m_entries.lower_bound({std::string(file), {}});
    m_entries.erase(
        first, std::find_if(first, m_entries.end(), [file](const auto& entry) { return entry.first.first != file; }));
}

Diagnostics Diagnostics::about(std::string_view file) const {
    Diagnostics part;
    // Entries are in the order of files, and there may be many thousands of these.
    for (auto it = m_entries.lower_bound({std::string(file), {}}); it != m_entries.end() && it->first.first == file;
         ++it)
        part.m_entries.insert(*it);
    return part;
}

std::vector<Diagnostic> Diagnostics::entries() const {
    std::vector<Diagnostic> list;
    list.reserve(m_entries.size());
    for (const auto& [key, entry] : m_entries) list.push_back(entry);
    return list;
}

bool Diagnostics::anyLost() const {
    return std::any_of(m_entries.begin(), m_entries.end(),
                       [](const auto& item) { return item.second.severity == Severity::Lost; });
}

}  // namespace altiscope
