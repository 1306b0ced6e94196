#include "core/import/csv/csv_rows.h"

#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/base/values/time.h"
#include "core/import/files/text_encoding.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace altiscope::reader {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmedCell(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

bool isAbsentCell(std::string_view text) {
    switch (text.size()) {
    case 0: return true;
    case 1: return text[0] == '-';
    case 2: return text == "NA";
    case 3: return text == "N/A";
    case 4: return text == "null" || text == "None";
    default: return false;
    }
}

bool isAscii(std::string_view text) {
    std::uint64_t high = 0;
    std::size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, text.data() + i, sizeof eight);
        high |= eight;
    }
    for (; i < text.size(); ++i) high |= static_cast<unsigned char>(text[i]) & 0x80U;
    return (high & 0x8080808080808080U) == 0;
}

/// Whether a plain number in the cell is taken as it stands.
bool isPlainCell(const CsvMapping::Rule& rule) {
    static constexpr auto bit = [](CsvCell cell) { return 1U << static_cast<unsigned>(cell); };
    static constexpr unsigned kOthers =
        bit(CsvCell::Name) | bit(CsvCell::Text) | bit(CsvCell::List) | bit(CsvCell::TimeAfter);
    return (bit(rule.cell) & kOthers) == 0 && !rule.isBegin;
}

/// True for what is a decimal number, whatever its size.
bool isDecimalText(std::string_view text) {
    const auto e = text.find_first_of("eE");
    return parseReal(text.substr(0, e)).has_value() &&
           (e == std::string_view::npos || wholeNumber(text.substr(e + 1 + (text.substr(e + 1, 1) == "+"))));
}

constexpr std::string_view kNpu = "NPU:";

/// A record with quotes around a cell that was written without them, and holds what the record has too many cells.
std::string withQuotes(std::string_view record, std::size_t place, std::size_t columns) {
    const bool endsLine = record.ends_with('\n');
    if (endsLine) record.remove_suffix(1);
    std::vector<std::string> cells = csvCells(record);
    while (cells.size() > columns && place + 1 < cells.size()) {
        cells[place] += ',' + cells[place + 1];
        cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
    std::string text;
    for (const std::string& cell : cells) {
        text += text.empty() ? "\"" : ",\"";
        for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += '"';
    }
    return endsLine ? text + '\n' : text;
}

/// So many digits are one double each, whatever their scale.
constexpr std::uint64_t kFifteenDigits = 1'000'000'000'000'000;

}  // namespace

CsvRows::CsvRows(const CsvMapping& mapping, RowTablesBuilder& builder, CsvKeys& keys)
    : m_mapping(mapping), m_keys(keys), m_batch(builder.batch(mapping.format->kind)),
      m_texts(rowColumns(mapping.format->kind).size()), m_last(m_texts.size()) {
    for (const CsvMapping::Rule& rule : mapping.rules) {
        if (rule.isNeeded) m_needed.push_back(rule.column);
    }
}

namespace {

/// A carriage return in [at, end) that no line feed follows, or `end`.
const char* loneReturn(const char* at, const char* end, const char* textEnd) {
    for (; at != end; ++at) {
        at = static_cast<const char*>(std::memchr(at, '\r', static_cast<std::size_t>(end - at)));
        if (at == nullptr) return end;
        if (at + 1 == textEnd || at[1] != '\n') return at;
    }
    return end;
}

}  // namespace

CsvRows::Cell CsvRows::cell(const char* at, const char* end, bool isLast) {
    if (at == end || *at != '"') {
        const char* from = at;
        while (at != end && !endsCell(*at)) ++at;
        if (isLast) at = loneReturn(from, at, end);
        return {{from, static_cast<std::size_t>(at - from)}, at};
    }
    // The two forms of nearly all quoted cells, `"a,b"` and `"""a,b"""`, stand in the text as they are meant.
    const std::size_t quotes = end - at > 3 && at[1] == '"' && at[2] == '"' ? 3 : 1;
    const char* const inner = at + quotes;
    const auto* const close = static_cast<const char*>(std::memchr(inner, '"', static_cast<std::size_t>(end - inner)));
    if (close != nullptr && static_cast<std::size_t>(end - close) > quotes) {
        const char* const next = close + quotes;
        const bool isWhole = endsCell(*next) && (quotes == 1 || (close[1] == '"' && close[2] == '"'));
        if (isWhole) return quotes == 1 ? Cell{{inner, close}, next} : Cell{{inner - 1, close + 1}, next};
    }
    m_unquoted.clear();
    for (++at; at != end;) {
        const auto* quote = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
        if (quote == nullptr) quote = end;
        m_unquoted.append(at, quote);
        at = quote;
        if (at == end) break;
        if (++at == end || *at != '"') break;
        m_unquoted += '"';
        ++at;
    }
    // Text after the closing quote belongs to the cell.
    const char* const from = at;
    while (at != end && !endsCell(*at)) ++at;
    if (isLast) at = loneReturn(from, at, end);
    m_unquoted.append(from, at);
    return {m_unquoted, at};
}

const char* CsvRows::takePlain(const CsvMapping::Rule& rule, const char* at, const char* end) {
    if (rule.cell == CsvCell::Device && static_cast<std::size_t>(end - at) > kNpu.size() &&
        isSame({at, kNpu.size()}, kNpu))
        at += kNpu.size();
    const PlainDecimal number = plainDecimal(at, end);
    if (number.end == nullptr) return nullptr;
    const char* next = number.end;
    while (next != end && isBlank(*next)) ++next;
    // At the end of the part a number may be torn.
    if (next == end || (*next != ',' && *next != '\n')) return nullptr;  // lone returns are for cell()
    switch (rule.cell) {
    case CsvCell::Device:
        if (number.fraction > 0 || number.digits > std::uint64_t{kMaxDevice}) return nullptr;
        m_batch.setInteger(rule.column, static_cast<std::int64_t>(number.digits));
        return next;
    case CsvCell::Step:
    case CsvCell::Integer:
        if (number.fraction > 0 || number.digits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return nullptr;
        m_batch.setInteger(rule.column, static_cast<std::int64_t>(number.digits));
        return next;
    case CsvCell::Time:
    case CsvCell::Size: {
        const std::int64_t value = plainScaled(number, rule.factor);
        if (value < 0 || value > kMaxTimeNs) return nullptr;
        m_batch.setInteger(rule.column, value);
        return next;
    }
    case CsvCell::Real:
    case CsvCell::TimeReal:
    case CsvCell::SquaredTime: {
        const int shift = rule.cell == CsvCell::SquaredTime ? 2 * rule.shift : rule.shift;
        if (setDecimal(rule.column, number.digits, number.fraction - shift)) return next;
        const auto value = plainReal(number, shift);
        if (!value) return nullptr;
        m_batch.setReal(rule.column, *value);
        return next;
    }
    case CsvCell::Name:
    case CsvCell::Text:
    case CsvCell::List:
    case CsvCell::TimeAfter: break;
    }
    return nullptr;
}

bool CsvRows::setDecimal(std::size_t column, std::uint64_t digits, int scale) {
    for (; scale < 0 && digits < kFifteenDigits; ++scale) digits *= 10;
    if (scale < 0 || scale > RowBlock::kMaxScale || digits >= kFifteenDigits) return false;
    m_batch.setDecimal(column, static_cast<std::int64_t>(digits), static_cast<std::uint8_t>(scale));
    return true;
}

void CsvRows::setText(const CsvMapping::Rule& rule, std::string_view text, CsvProblems& problems) {
    std::string repaired;
    if (!m_isAscii && !isValidUtf8(text)) {
        auto decoded = textOfGbk(text);
        problems.add(decoded ? CsvProblem::Gbk : CsvProblem::InvalidUtf8, m_record, rule.header, text);
        repaired = decoded ? std::move(*decoded) : repairedUtf8(text);
        text = repaired;
    }
    // Neighbouring rows often have the same.
    LastText& last = m_last[rule.column];
    if (last.id < 0 || !isSame(last.text, text)) {
        last.text.assign(text);
        last.id = m_batch.textId(text);
    }
    m_batch.setTextId(rule.column, last.id);
    m_texts[rule.column] = last.text;
}

void CsvRows::setInteger(const CsvMapping::Rule& rule, std::string_view text, std::optional<std::int64_t> value,
                         CsvProblems& problems) {
    if (value) return m_batch.setInteger(rule.column, *value);
    m_hasOddStep = m_hasOddStep || rule.cell == CsvCell::Step;
    problems.add(isDecimalText(text) ? CsvProblem::OutOfRange : CsvProblem::BadNumber, m_record, rule.header, text);
}

void CsvRows::setReal(const CsvMapping::Rule& rule, std::string_view text, int shift, CsvProblems& problems) {
    const auto value = parseReal(text, shift);
    const bool isNegative = value && *value < 0 && rule.isLength;
    if (value && !isNegative) return m_batch.setReal(rule.column, *value);
    problems.add(isDecimalText(text) ? CsvProblem::OutOfRange : CsvProblem::BadNumber, m_record, rule.header, text);
}

void CsvRows::take(const CsvMapping::Rule& rule, std::string_view given, CsvProblems& problems) {
    std::string_view text = trimmedCell(given);
    if (text.empty() || (rule.cell != CsvCell::Name && isAbsentCell(text))) return;
    switch (rule.cell) {
    case CsvCell::Name:
    case CsvCell::Text: return setText(rule, text, problems);
    case CsvCell::List:
        if (text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1)
            text = text.substr(1, text.size() - 2);
        return isAbsentCell(text) ? void() : setText(rule, text, problems);
    case CsvCell::Device: {
        if (text == "host" || text == "CPU" || text == "-1") return;
        const auto device = wholeNumber(text.starts_with(kNpu) ? text.substr(kNpu.size()) : text);
        const bool isDevice = device && 0 <= *device && *device <= kMaxDevice;
        return setInteger(rule, text, isDevice ? device : std::nullopt, problems);
    }
    case CsvCell::Step:
        if (text.starts_with("step")) text.remove_prefix(4);
        if (text.empty()) return;
        [[fallthrough]];
    case CsvCell::Integer: {
        auto value = wholeNumber(text);
        // Tools that go through tables of doubles write "3.0".
        if (!value && text.ends_with(".0")) value = wholeNumber(text.substr(0, text.size() - 2));
        // A spreadsheet turns long numbers into exponents.
        if (!value && text.find_first_of("eE") != std::string_view::npos && (value = parseScaled(text, 1)))
            problems.add(CsvProblem::LowPrecision, m_record, rule.header, text);
        if (value == kNoCell || (value && *value < 0 && rule.isLength)) value.reset();
        return setInteger(rule, text, value, problems);
    }
    case CsvCell::Time:
    case CsvCell::TimeAfter: {
        const auto value = rule.factor == 1000 ? parseMicrosecondsAsNs(text) : parseScaled(text, rule.factor);
        if (value && *value < 0 && rule.isLength)
            return problems.add(CsvProblem::OutOfRange, m_record, rule.header, text);
        if (value && *value > std::int64_t{1} << 50 && text.find_first_of("eE") != std::string_view::npos)
            problems.add(CsvProblem::LowPrecision, m_record, rule.header, text);
        if (rule.isBegin) m_begin = value;
        if (rule.cell != CsvCell::TimeAfter || !value) return setInteger(rule, text, value, problems);
        m_length = value;
        m_after = rule.column;
        return;
    }
    case CsvCell::Size: {
        const auto value = parseScaled(text, rule.factor);
        return setInteger(rule, text, value && *value < 0 && rule.isLength ? std::nullopt : value, problems);
    }
    case CsvCell::Real:
    case CsvCell::TimeReal: return setReal(rule, text, rule.shift, problems);
    case CsvCell::SquaredTime: return setReal(rule, text, 2 * rule.shift, problems);
    }
}

bool CsvRows::isRepeated() {
    if (m_hasOddStep) return false;
    // Files of statistics are short; one of so many rows is none of a tool.
    static constexpr std::size_t kMaxKeys = std::size_t{1} << 20;
    if (m_keys.size() >= kMaxKeys) return false;
    std::vector<std::int64_t> key;
    for (const std::size_t column : m_mapping.key) key.push_back(m_batch.cell(column));
    return !key.empty() && !m_keys.insert(std::move(key)).second;
}

const CsvMapping::Rule* CsvRows::ruleOf(std::size_t column) const {
    for (const CsvMapping::Rule& rule : m_mapping.rules) {
        if (rule.isUsed && rule.column == column) return &rule;
    }
    return nullptr;
}

void CsvRows::dropOddCells(CsvProblems& problems) {
    for (const std::size_t column : m_mapping.format->oddCells(m_batch)) {
        const auto rule = ruleOf(column);
        problems.add(CsvProblem::OutOfRange, m_record, rule == nullptr ? "" : rule->header,
                     std::to_string(m_batch.cell(column)));
        m_batch.unset(column);
    }
}

void CsvRows::finishRecord(std::size_t cells, bool isLong, bool isCut, CsvProblems& problems) {
    const CsvFormat& format = *m_mapping.format;
    const auto begin = std::exchange(m_begin, std::nullopt), length = std::exchange(m_length, std::nullopt);
    if (begin && length && *begin >= 0 && *length <= kMaxTimeNs - *begin) m_batch.setInteger(m_after, *begin + *length);
    if (isCut) problems.add(CsvProblem::Cut, m_record);
    else if (cells < m_mapping.rules.size()) problems.add(CsvProblem::ShortRecord, m_record);
    else if (isLong) problems.add(CsvProblem::LongRecord, m_record);
    bool isDropped = false;
    for (const std::size_t column : m_needed) {
        if (m_batch.isSet(column)) continue;
        const auto rule = std::find_if(m_mapping.rules.begin(), m_mapping.rules.end(),
                                       [column](const auto& r) { return r.isNeeded && r.column == column; });
        if (!isCut) problems.add(CsvProblem::MissingValue, m_record, rule->header, {});
        m_batch.dropRow();
        isDropped = true;
        break;
    }
    if (!isDropped && format.complete != nullptr && !format.complete(m_batch, m_texts)) {
        m_batch.dropRow();
        isDropped = true;
    }
    // After that: what cannot be beside the others is no reason to drop the row.
    if (!isDropped && format.oddCells != nullptr) dropOddCells(problems);
    if (!isDropped && isRepeated()) {
        problems.add(CsvProblem::RepeatedRow, m_record);
        m_batch.dropRow();
    }
    ++m_record;
    m_hasOddStep = false;
    if (format.derived == nullptr && format.complete == nullptr) return;
    std::fill(m_texts.begin(), m_texts.end(), std::string_view{});
}

void CsvRows::read(std::string_view part, bool isCut, CsvProblems& problems) {
    m_record = 0;
    m_isAscii = isAscii(part);
    const char* const end = part.data() + part.size();
    for (const char* at = part.data(); at != end;) {
        // An empty line is no record.
        const bool hasFeed = *at == '\r' && at + 1 != end && at[1] == '\n';
        if (*at == '\n' || hasFeed || *at == m_mapping.lineEnd || (*at == '\r' && at + 1 == end)) {
            at += hasFeed ? 2 : 1;
            ++m_record;
            continue;
        }
        if (m_mapping.unquoted) {
            const std::string_view record = longRecord({at, end});
            if (!record.empty()) {
                const std::string mended = withQuotes(record, *m_mapping.unquoted, m_mapping.rules.size());
                at += record.size();
                readRecord(mended.data(), mended.data() + mended.size(), isCut && at == end, problems);
                continue;
            }
        }
        at = readRecord(at, end, isCut, problems);
    }
}

std::string_view CsvRows::longRecord(std::string_view text) const {
    std::size_t cells = 1, end = 0;
    bool isQuoted = false, isNew = true;
    for (; end < text.size(); ++end) {
        const char c = text[end];
        if (isQuoted) {
            const bool isDoubled = c == '"' && end + 1 < text.size() && text[end + 1] == '"';
            if (isDoubled) ++end;
            else isQuoted = c != '"';
            continue;
        }
        if (c == '\n' || c == m_mapping.lineEnd) break;
        if (c == ',') ++cells;
        isQuoted = isNew && c == '"';
        isNew = c == ',';
    }
    // Some writers end each record with a comma.
    if (cells <= m_mapping.rules.size() || trimmedCell(text.substr(0, end)).ends_with(',')) return {};
    return text.substr(0, std::min(end + 1, text.size()));
}

const char* CsvRows::readRecord(const char* at, const char* end, bool isCut, CsvProblems& problems) {
    const CsvFormat& format = *m_mapping.format;
    const std::size_t columns = m_mapping.rules.size();
    m_batch.addRow();
    std::size_t number = 0;
    bool hasMore = true;
    bool endsFile = false;
    bool isLong = false;
    for (; hasMore; ++number) {
        const CsvMapping::Rule* const rule =
            number < columns && m_mapping.rules[number].isUsed ? &m_mapping.rules[number] : nullptr;
        if (at != end && *at == ',') {
            ++at;  // an empty cell
            continue;
        }
        if (const char* const next = rule != nullptr && isPlainCell(*rule) ? takePlain(*rule, at, end) : nullptr) {
            hasMore = *next == ',';
            at = next + 1;
            continue;
        }
        const Cell found = cell(at, end, number + 1 >= columns);
        // Some writers end each record with a comma.
        isLong = isLong || (number >= columns && !trimmedCell(found.text).empty());
        at = found.next;
        hasMore = at != end && *at == ',';
        endsFile = at == end;
        // The last cell before a cut may lack a part of itself.
        const bool isTorn = isCut && endsFile;
        if (rule != nullptr && !isTorn) take(*rule, found.text, problems);
        if (at != end) at += *at == '\r' && at + 1 != end && at[1] == '\n' ? 2 : 1;
    }
    for (const CsvConstant& constant : format.constants) m_batch.setText(constant.column, constant.text);
    if (format.derived != nullptr) m_batch.setText(format.derivedColumn, format.derived(m_texts));
    finishRecord(number, isLong, isCut && endsFile, problems);
    return at;
}

}  // namespace altiscope::reader
