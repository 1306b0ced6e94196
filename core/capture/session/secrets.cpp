#include "core/capture/session/secrets.h"

#include "core/base/text/ascii.h"
#include "core/capture/files/shell_words.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace altiscope::capture {

namespace {

constexpr std::string_view kHidden = "***";

bool isNameLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool isBlankLetter(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Whether the last word of a name says that a secret follows: "DB_PASSWORD", "--api-key", "hf_token". Most names
/// that end in "token" do not ("--pad-token").
bool namesSecret(std::string_view name) {
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    std::string plain = asciiLower(name);
    std::replace(plain.begin(), plain.end(), '-', '_');
    constexpr std::string_view kEnds[] = {"password",   "passwd",     "passphrase", "secret",       "api_key",
                                          "apikey",     "access_key", "secret_key", "access_token", "api_token",
                                          "auth_token", "hf_token",   "hub_token"};
    return plain == "token" || plain == "pwd" || plain.ends_with("_pwd") ||
           std::any_of(std::begin(kEnds), std::end(kEnds),
                       [&plain](std::string_view end) { return plain.ends_with(end); });
}

/// After the value that begins at `at`: a word of the shell, quotes and all.
std::size_t afterWord(std::string_view text, std::size_t at) {
    while (at < text.size() && !isBlankLetter(text[at]) &&
           std::string_view(";&|").find(text[at]) == std::string_view::npos) {
        const char c = text[at];
        if (c == '\\') ++at;
        if (c == '"' || c == '\'') at = std::min(text.find(c, at + 1), text.size());
        ++at;
    }
    return std::min(at, text.size());
}

bool isQuote(char c) { return c == '"' || c == '\''; }

std::size_t afterLetters(std::string_view text, std::size_t at, bool (*are)(char)) {
    while (at < text.size() && are(text[at])) ++at;
    return at;
}

std::size_t afterBackslashes(std::string_view text, std::size_t at) {
    return afterLetters(text, at, [](char c) { return c == '\\'; });
}

/// After the value of a member of JSON, whose quotes have backslashes before them where a shell needs these.
std::size_t afterItem(std::string_view text, std::size_t at) {
    const std::size_t mark = afterBackslashes(text, at), lead = mark - at;
    if (mark >= text.size() || !isQuote(text[mark]))
        return std::min(text.find_first_of(",}] \t\n\"'", at), text.size());
    std::size_t slashes = 0;
    for (std::size_t i = mark + 1; i < text.size(); ++i) {
        if (text[i] == text[mark] && (lead == 0 ? slashes % 2 == 0 : slashes <= lead)) return i + 1;
        slashes = text[i] == '\\' ? slashes + 1 : 0;
    }
    return text.size();
}

/// "--password", "password:": the next word is its value.
bool namesNextWord(std::string_view word) {
    if (word.ends_with(':')) return namesSecret(word.substr(0, word.size() - 1));
    return word.starts_with("--") && namesSecret(word);
}

/// Programs whose option -p is a password; of one with `ownWords` what follows its options is another command.
struct PasswordProgram {
    std::string_view name;
    bool isJoined = false;  ///< -pVALUE is the same.
    bool ownWords = false;
};
constexpr PasswordProgram kPasswordPrograms[] = {
    {"sshpass", true, true}, {"mysql", true},  {"mysqladmin", true}, {"mysqldump", true},
    {"docker login"},        {"podman login"}, {"nerdctl login"},
};

/// Behind the words of a program that begin at `at`: those of its own, with the value of -p hidden in `clean`.
std::size_t hideShortOption(std::string_view text, std::size_t at, const PasswordProgram& program, std::string& clean) {
    bool isSecret = false;
    for (;;) {
        const std::size_t begin = afterLetters(text, at, [](char c) { return c == ' ' || c == '\t'; });
        const std::size_t end = afterWord(text, begin);
        const std::string_view word = text.substr(begin, end - begin);
        const bool isOption = word.starts_with('-');
        if (word.empty() || (program.ownWords && !isSecret && !isOption)) return at;
        clean += text.substr(at, begin - at);
        if (isSecret && !isOption) clean += kHidden;
        else if (program.isJoined && word.starts_with("-p") && word.size() > 2) clean += "-p" + std::string(kHidden);
        else clean += word;
        isSecret = word == "-p";
        at = end;
    }
}

/// "sshpass -p VALUE": an option whose letter says nothing of a secret but after some programs.
std::string withoutShortOptions(std::string_view text) {
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        const bool isWord = at == 0 || (!isNameLetter(text[at - 1]) && text[at - 1] != '.');
        const auto* program =
            std::find_if(std::begin(kPasswordPrograms), std::end(kPasswordPrograms), [&](const PasswordProgram& one) {
                const std::size_t end = at + one.name.size();
                return isWord && text.substr(at).starts_with(one.name) && end < text.size() && isBlankLetter(text[end]);
            });
        if (program == std::end(kPasswordPrograms)) {
            clean += text[at++];
            continue;
        }
        clean += program->name;
        at = hideShortOption(text, at + program->name.size(), *program, clean);
    }
    return clean;
}

}  // namespace

std::string withoutSecrets(std::string_view original) {
    const std::string shortened = withoutShortOptions(original);
    const std::string_view text = shortened;
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with("://")) {
            const std::size_t begin = at + 3, end = std::min(text.find_first_of("/ \t\n", begin), text.size());
            const std::string_view authority = text.substr(begin, end - begin);
            const std::size_t host = authority.rfind('@'), colon = authority.find(':');
            if (host != std::string_view::npos && colon < host) {
                clean += std::string(text.substr(at, begin + colon + 1 - at)) + std::string(kHidden);
                at = begin + host;
                continue;
            }
        }
        if (!isNameLetter(text[at])) {
            clean += text[at++];
            continue;
        }
        const std::size_t begin = at;
        at = afterLetters(text, at, isNameLetter);
        const std::string_view name = text.substr(begin, at - begin);
        clean += name;
        if (!namesSecret(name)) continue;
        // "token": "x", "--token" x, '--token=x y'
        const char quote = begin > 0 && isQuote(text[begin - 1]) ? text[begin - 1] : '\0';
        std::size_t value = at;
        const std::size_t mark = afterBackslashes(text, at);
        const bool isClosed = quote != '\0' && mark < text.size() && text[mark] == quote;
        if (isClosed) value = mark + 1;
        const std::size_t sign = isClosed ? afterLetters(text, value, isBlankLetter) : value;
        const bool isAssigned = sign < text.size() && (text[sign] == '=' || text[sign] == ':');
        if (isAssigned) value = sign + 1;
        // "--password VALUE", "password: VALUE"; another option is no value.
        const bool mayFollow = name.starts_with("--") || (isAssigned && text[value - 1] == ':');
        if (mayFollow) value = afterLetters(text, value, isBlankLetter);
        std::size_t end = isClosed && isAssigned ? afterItem(text, value) : afterWord(text, value);
        // The quote that stands before the name ends the value as well.
        if (quote != '\0' && !isClosed && isAssigned) {
            const std::size_t closing = text.find(quote, value);
            if (closing != std::string_view::npos) end = closing;
        }
        const bool hasValue = end > value && (isAssigned || (mayFollow && value > at && text[value] != '-'));
        if (!hasValue) continue;
        clean += std::string(text.substr(at, value - at)) + std::string(kHidden);
        at = end;
    }
    return clean;
}

std::string commandWithoutSecrets(std::span<const std::string> words) {
    std::string text;
    bool isSecret = false;
    for (const std::string& word : words) {
        if (!text.empty()) text += ' ';
        const std::size_t sign = afterLetters(word, 0, isNameLetter);
        const std::string_view name = std::string_view(word).substr(0, sign);
        const bool hasName = sign > 0 && sign + 1 < word.size() && word[sign] == '=';
        const bool isOption = word.starts_with('-');
        if (isSecret && !isOption) text += kHidden;
        else if (!hasName) text += shellQuoted(withoutSecrets(word));
        else if (namesSecret(name)) text += std::string(name) + '=' + std::string(kHidden);
        else text += std::string(name) + '=' + shellQuoted(withoutSecrets(word.substr(sign + 1)));
        isSecret = namesNextWord(word);
    }
    return withoutShortOptions(text);
}

bool lacksSecret(std::string_view text) {
    if (text.find(kHidden) == std::string_view::npos) return false;
    // Elsewhere the stars are the user's own: a pattern of the shell.
    std::string filled(text);
    for (std::size_t at = 0; (at = filled.find(kHidden, at)) != std::string::npos;)
        filled.replace(at, kHidden.size(), "x");
    return withoutSecrets(filled) != filled;
}

}  // namespace altiscope::capture
