#include "core/pack/redaction.h"

#include "core/base/text/ascii.h"
#include "core/base/text/json_text.h"
#include "core/pack/secret_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace altiscope::pack {

namespace {

constexpr std::size_t placeOfKind(SecretKind kind) { return static_cast<std::size_t>(kind); }

/// Names that say nothing about whose machine it is, or would be found in half of all texts.
bool isGeneric(std::string_view word) {
    constexpr std::string_view kGeneric[] = {"root",    "localhost", "local", "host",   "node",  "user",
                                             "none",    "null",      "npu",   "cpu",    "true",  "false",
                                             "unknown", "admin",     "data",  "worker", "master"};
    const bool isNumber =
        std::all_of(word.begin(), word.end(), [](char c) { return !isWordByte(c) || (c >= '0' && c <= '9'); });
    return word.size() < 3 || isNumber ||
           std::find(std::begin(kGeneric), std::end(kGeneric), word) != std::end(kGeneric);
}

/// 12, 1.5, 0x7f00.
bool isNumber(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = isHex ? text.substr(2) : text;
    return std::count(digits.begin(), digits.end(), '.') < 2 &&
           digits.find_first_not_of(isHex ? "0123456789abcdefABCDEF" : "0123456789.") == std::string_view::npos;
}

/// Without the port behind one colon: "gpu7:29500".
std::string_view withoutPort(std::string_view name) {
    const std::size_t colon = name.find(':');
    const bool isPort = colon != std::string_view::npos && colon > 0 && colon + 1 < name.size() &&
                        name.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
    return isPort ? name.substr(0, colon) : name;
}

/// Name of a host in its domain; an address as it is.
std::string_view withoutDomain(std::string_view name) {
    if (name.empty() || addressEnd(name, 0) == name.size()) return name;
    const std::string_view first = name.substr(0, name.find('.'));
    return first.empty() ? name : first;
}

/// The text that the same secrets have in common. Hosts and users have no case.
std::string secretOf(SecretKind kind, std::string_view text) {
    if (kind == SecretKind::Host) return asciiLower(withoutDomain(withoutPort(text)));
    return kind == SecretKind::User ? asciiLower(text) : std::string(text);
}

std::string_view startOf(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && isWordByte(text[end])) ++end;
    return text.substr(0, end);
}

/// Behind the domain that follows the name of a host.
std::size_t domainEnd(std::string_view text, std::size_t end) {
    const auto isName = [](char c) { return isWordByte(c) || c == '-'; };
    const auto isLetter = [](char c) { return isWordByte(c) && !(c >= '0' && c <= '9'); };
    while (end + 1 < text.size() && text[end] == '.' && isLetter(text[end + 1])) {
        ++end;
        while (end < text.size() && isName(text[end])) ++end;
    }
    return end;
}

/// Texts of JSON in order, with the key of each value: take(key, text, isKey) is what stands for it, or nullopt. What
/// is between them stays. nullopt if a text has no end or is none.
template <class Take>
std::optional<std::string> eachText(std::string_view json, const Take& take) {
    std::string result, key;
    std::size_t done = 0;
    for (std::size_t at = json.find('"'); at != std::string_view::npos; at = json.find('"', at)) {
        std::size_t end = at + 1;
        bool isEscaped = false;
        while (end < json.size() && json[end] != '"') {
            isEscaped = isEscaped || json[end] == '\\';
            end += json[end] == '\\' ? 2 : 1;
        }
        if (end >= json.size()) return std::nullopt;
        const std::string_view literal = json.substr(at, end + 1 - at);
        std::string content(literal.substr(1, literal.size() - 2));
        if (isEscaped) {
            const nlohmann::json decoded = parseJson(literal);
            if (!decoded.is_string()) return std::nullopt;
            content = decoded.get<std::string>();
        }
        const std::size_t next = json.find_first_not_of(" \t\r\n", end + 1);
        const bool isKey = next != std::string_view::npos && json[next] == ':';
        if (const std::optional<std::string> other = take(std::string_view(key), std::string_view(content), isKey)) {
            result += json.substr(done, at - done);
            result += dumpJson(nlohmann::json(*other));
            done = end + 1;
        }
        if (isKey) key = std::move(content);
        at = end + 1;
    }
    result += json.substr(done);
    return result;
}

}  // namespace

std::size_t Redaction::wordAt(std::string_view text, std::size_t at, Part& part) const {
    if (m_byStart.empty() || !isWordByte(text[at]) || (at > 0 && isWordByte(text[at - 1]))) return at;
    const auto words = m_byStart.find(asciiLower(startOf(text.substr(at))));
    if (words == m_byStart.end()) return at;
    for (const auto& [word, of] : words->second) {
        const std::size_t end = at + word.size();
        if (end > text.size() || !equalsIgnoringCase(text.substr(at, word.size()), word)) continue;
        if (end < text.size() && isWordByte(text[end])) continue;
        part.kind = of;
        part.named = end;
        return of == SecretKind::Host ? domainEnd(text, end) : end;
    }
    return at;
}

std::vector<Redaction::Part> Redaction::partsOf(std::string_view text, Search search, bool withAddresses) const {
    std::vector<Part> parts;
    const auto lines = m_scope == Scope::All ? sourceLines(text) : std::vector<std::pair<std::size_t, std::size_t>>();
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size();) {
        while (line < lines.size() && lines[line].first < at) ++line;
        if (line < lines.size() && lines[line].first == at) {
            parts.push_back({at, lines[line].second, SecretKind::SourceLine, lines[line].second});
            at = lines[line].second;
            continue;
        }
        Part part{at, pathEnd(text, at), SecretKind::Path, 0};
        if (part.end == at && m_scope == Scope::All) {
            if (withAddresses) part.end = addressEnd(text, at);
            if (part.end > at) part.kind = SecretKind::Host;
            else if (search == Search::PartsAndWords) part.end = wordAt(text, at, part);
        }
        if (part.named == 0) part.named = part.end;
        if (part.end > at) parts.push_back(part);
        at = std::max(part.end, at + 1);
    }
    return parts;
}

std::vector<Redaction::Part> Redaction::partsOfField(std::string_view text, FieldKind field) const {
    const bool hasName = std::any_of(text.begin(), text.end(), [](char c) { return isWordByte(c); });
    if (!hasName || (isNumber(text) && field != FieldKind::Host && field != FieldKind::User)) return {};
    if (field == FieldKind::Path) return {{0, text.size(), SecretKind::Path, text.size()}};
    const bool isHost = field == FieldKind::Host || field == FieldKind::HostOrNumber;
    if ((!isHost && field != FieldKind::User) || m_scope != Scope::All || pathEnd(text, 0) > 0) return {};
    // Lists, too; "node[01-04,07]" is one of Slurm's names for several.
    std::vector<Part> parts;
    constexpr std::string_view kBetween = ",; \t\r\n";
    for (std::size_t begin = text.find_first_not_of(kBetween); begin != std::string_view::npos;) {
        std::size_t end = begin;
        bool isWithin = false;
        for (; end < text.size() && (isWithin || kBetween.find(text[end]) == std::string_view::npos); ++end)
            isWithin = text[end] == '[' || (isWithin && text[end] != ']');
        const std::string_view one = text.substr(begin, end - begin);
        if (isHost) {
            const std::string_view name = withoutPort(one);
            parts.push_back({begin, begin + name.size(), SecretKind::Host, begin + name.size()});
        } else {
            parts.push_back({begin, end, SecretKind::User, end});
        }
        begin = text.find_first_not_of(kBetween, end);
    }
    return parts;
}

void Redaction::note(SecretKind kind, std::string_view text) {
    auto& learned = m_learned[placeOfKind(kind)];
    const std::string secret = secretOf(kind, text);
    if (!secret.empty()) learned.emplace(secret);
}

void Redaction::noteWord(SecretKind kind, std::string_view text) {
    if (m_scope != Scope::All || text.empty()) return;
    const bool hasDomain = kind == SecretKind::Host && withoutDomain(text) != text;
    if (hasDomain && !isGeneric(asciiLower(withoutDomain(text)))) text = withoutDomain(text);
    if (isGeneric(asciiLower(text)) || !isWordByte(text.front())) return;
    note(kind, text);
    const auto [word, isNew] = m_words.emplace(kind == SecretKind::Path ? std::string(text) : asciiLower(text), kind);
    // A name of both a host and a user has one kind, in whatever order they are learned.
    if (!isNew) word->second = std::min(word->second, kind);
}

void Redaction::learnParts(std::string_view text, const std::vector<Part>& parts) {
    for (const Part& part : parts) {
        const std::string_view secret = text.substr(part.begin, part.end - part.begin);
        note(part.kind, secret);
        if (part.kind != SecretKind::Path) continue;
        noteWord(SecretKind::User, userOfPath(secret));
        if (const auto host = hostOfFolder(secret); !host.empty()) noteWord(SecretKind::Host, host);
    }
}

/// "name@machine.domain", or the name of a machine that is known; other texts with the sign are names of kernels.
void Redaction::learnBeforeAt(std::string_view text) {
    const auto isName = [](char c) { return isWordByte(c) || c == '.' || c == '-' || c == '_'; };
    for (std::size_t i = text.find('@'); i != std::string_view::npos; i = text.find('@', i + 1)) {
        std::size_t begin = i, end = i + 1;
        while (begin > 0 && isName(text[begin - 1])) --begin;
        while (end < text.size() && isName(text[end])) ++end;
        const std::string_view user = text.substr(begin, i - begin), host = text.substr(i + 1, end - i - 1);
        if (user.empty() || host.empty()) continue;
        if (host.find('.') == std::string_view::npos) {
            m_atHosts.emplace(asciiLower(host), asciiLower(user));
            continue;
        }
        noteWord(SecretKind::User, user);
        noteWord(SecretKind::Host, host);
    }
}

void Redaction::learn(std::string_view text, std::string_view key) {
    const FieldKind field = fieldKind(key);
    const std::vector<Part> whole = partsOfField(text, field);
    const std::vector<Part> parts =
        whole.empty() ? partsOf(text, Search::Parts, field != FieldKind::Version) : std::vector<Part>();
    const bool hasAt = text.find('@') != std::string_view::npos;
    if (whole.empty() && parts.empty() && !hasAt) return;
    const std::lock_guard lock(m_mutex);
    learnParts(text, parts);
    learnParts(text, whole);
    for (const Part& part : whole)
        if (part.kind != SecretKind::Path) noteWord(part.kind, text.substr(part.begin, part.end - part.begin));
    if (hasAt) learnBeforeAt(text);
}

void Redaction::learnPath(std::string_view path) {
    if (path.empty() || path == ".") return;
    learn(path);
    const std::lock_guard lock(m_mutex);
    note(SecretKind::Path, path);
    if (const auto host = hostOfFolder(path); !host.empty()) noteWord(SecretKind::Host, host);
    // A folder may be called "0" or "forward", and so may what is no folder.
    if (path.find('/') == std::string_view::npos && path.find("_ascend_") == std::string_view::npos) return;
    m_whole.emplace(path);
    noteWord(SecretKind::Path, path);
}

void Redaction::learnHost(std::string_view name) {
    if (name.empty() || m_scope != Scope::All) return;
    const std::lock_guard lock(m_mutex);
    note(SecretKind::Host, name);
    noteWord(SecretKind::Host, name);
}

void Redaction::learnJson(std::string_view text) {
    const auto all = eachText(text, [this](std::string_view key, std::string_view content, bool isKey) {
        learn(content, isKey ? std::string_view() : key);
        return std::optional<std::string>();
    });
    if (!all) learn(text);
}

void Redaction::giveNumbers() {
    const std::lock_guard lock(m_mutex);
    for (const auto& [host, user] : m_atHosts) {
        const auto known = m_words.find(host);
        if (known != m_words.end() && known->second == SecretKind::Host) noteWord(SecretKind::User, user);
    }
    for (std::size_t kind = 0; kind < kSecretKinds; ++kind)
        for (const std::string& text : m_learned[kind]) m_numbers[kind].emplace(text, m_numbers[kind].size() + 1);
    for (const auto& [word, kind] : m_words) {
        m_byStart[asciiLower(startOf(word))].emplace_back(word, kind);
        if (kind == SecretKind::Path) m_byLower.emplace(asciiLower(word), word);
    }
    for (auto& [start, words] : m_byStart)
        std::stable_sort(words.begin(), words.end(),
                         [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

std::string Redaction::pseudonym(SecretKind kind, std::string_view text) const {
    constexpr std::string_view kNames[kSecretKinds] = {"path-", "host-", "user-", "source-"};
    std::size_t number = 0;
    {
        const std::string secret = secretOf(kind, text);
        const std::lock_guard lock(m_mutex);
        Numbers& numbers = m_numbers[placeOfKind(kind)];
        auto known = numbers.find(secret);
        if (known == numbers.end() && kind == SecretKind::Path) {
            const auto word = m_byLower.find(asciiLower(text));
            if (word != m_byLower.end()) known = numbers.find(word->second);
        }
        if (known == numbers.end()) known = numbers.emplace(secret, numbers.size() + 1).first;
        number = known->second;
        ++m_replaced[placeOfKind(kind)];
    }
    std::string name = std::string(kNames[placeOfKind(kind)]) + std::to_string(number);
    if (kind != SecretKind::Path) return name;
    const bool isRooted =
        !isWordByte(text.front()) || text.find("://") != std::string_view::npos || text.substr(1).starts_with(":");
    return (isRooted ? "/" : "") + name + std::string(knownEnding(text));
}

std::string Redaction::replaced(std::string_view text, const std::vector<Part>& parts) const {
    std::string result;
    std::size_t done = 0;
    for (const Part& part : parts) {
        result += text.substr(done, part.begin - done);
        result += pseudonym(part.kind, text.substr(part.begin, part.named - part.begin));
        done = part.end;
    }
    result += text.substr(done);
    return result;
}

std::string Redaction::text(std::string_view text, std::string_view key) const {
    if (text.empty()) return {};
    if (m_whole.find(text) != m_whole.end()) return path(text);
    const FieldKind field = fieldKind(key);
    const std::vector<Part> whole = partsOfField(text, field);
    return replaced(text, whole.empty() ? partsOf(text, Search::PartsAndWords, field != FieldKind::Version) : whole);
}

std::string Redaction::host(std::string_view name) const {
    return name.empty() || m_scope != Scope::All ? text(name) : pseudonym(SecretKind::Host, name);
}

std::string Redaction::path(std::string_view path) const {
    return path.empty() || path == "." ? std::string(path) : pseudonym(SecretKind::Path, path);
}

std::string Redaction::json(std::string_view text) const {
    const auto all = eachText(text, [this](std::string_view key, std::string_view content, bool isKey) {
        std::string other = this->text(content, isKey ? std::string_view() : key);
        return other == content ? std::nullopt : std::optional(std::move(other));
    });
    return all ? *all : this->text(text);
}

Redaction::Count Redaction::count(SecretKind kind) const {
    const std::lock_guard lock(m_mutex);
    return {m_numbers[placeOfKind(kind)].size(), m_replaced[placeOfKind(kind)]};
}

std::string withoutStackTexts(std::string_view json) {
    const auto all = eachText(json, [](std::string_view key, std::string_view content, bool isKey) {
        const bool isStack = key == "Call stack" || key == "call_stack" || key == "Call Stack(Python)" ||
                             key == "Call Stack(C)" || key == "stack";
        return isStack && !isKey && !content.empty() ? std::optional(std::string()) : std::nullopt;
    });
    return all ? *all : std::string(json);
}

}  // namespace altiscope::pack
