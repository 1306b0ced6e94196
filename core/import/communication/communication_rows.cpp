#include "core/import/communication/communication_rows.h"

#include "core/base/text/ascii.h"
#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/time.h"
#include "core/import/communication/cluster_groups.h"
#include "core/import/communication/cluster_keys.h"
#include "core/import/communication/communication_names.h"
#include "core/import/json/json_keys.h"
#include "core/store/rows/row_kinds.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace altiscope::reader {

namespace {

constexpr std::int64_t kMillion = 1000000;  // ms -> ns, and megabytes of communication files -> bytes

constexpr auto C = RowKind::Collective;
constexpr auto B = RowKind::Bandwidth;
constexpr auto P = RowKind::Packet;
constexpr auto L = RowKind::Link;

/// Facts that the keys above an object tell.
struct OperatorPlace {
    std::optional<std::int64_t> step;
    std::string kind;                    // "p2p", "collective", or empty
    std::string op;                      // key without group
    std::string group;                   // hash
    std::optional<std::int64_t> rank{};  // of a cluster's file
    bool hasOddKey = false;              // one above tells nothing that is known
};

/// Whether a key above an operator is the word of a step, with its number or where no schedule was used.
bool isStepKey(std::string_view word) { return word == "step" || (word.starts_with("step") && recordedStep(word)); }

/// @param path  Ends in the operator's key.
OperatorPlace operatorPlace(std::span<const JsonKey> path, CommunicationOf of) {
    OperatorPlace place;
    const OperatorKey key = operatorKey(*path.back());
    place.op = repairedUtf8(key.op);
    if (key.group) place.group = repairedUtf8(*key.group);
    for (const JsonKey& above : path.first(path.size() - 1)) {
        const std::string& word = *above;
        if (word == "p2p" || word == "collective") place.kind = word;
        else if (isStepKey(word)) place.step = recordedStep(word);
        else place.hasOddKey = place.hasOddKey || of == CommunicationOf::Rank || !rankSetOf(word);
    }
    if (place.kind.empty()) place.kind = operatorKind(place.op);
    return place;
}

bool isTotal(std::string_view key) { return key.starts_with("Total"); }

std::string_view withoutBlanksAround(std::string_view token) {
    while (!token.empty() &&
           (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' || token.back() == '\t'))
        token.remove_suffix(1);
    return token;
}

/// Gives cells of one row, and counts those that are no numbers.
class CellWriter {
public:
    CellWriter(RowBatch& batch, std::uint64_t& bad) : m_batch(batch), m_bad(bad) {}

    /// A length, size or count: never below 0.
    void scaled(std::size_t column, std::string_view token, std::int64_t factor) {
        if (const auto value = parseScaled(token, factor); value && *value >= 0) m_batch.setInteger(column, *value);
        else ++m_bad;
    }
    void time(std::size_t column, std::string_view token) {
        if (const auto value = parseMicrosecondsAsNs(token)) m_batch.setInteger(column, *value);
        else ++m_bad;
    }
    void real(std::size_t column, std::string_view token) {
        if (const auto value = parseReal(token); value && *value >= 0) m_batch.setReal(column, *value);
        else ++m_bad;
    }

private:
    RowBatch& m_batch;
    std::uint64_t& m_bad;
};

constexpr std::string_view kTimeInfo = "Communication Time Info", kBandwidthInfo = "Communication Bandwidth Info";

/// Keys that an object of few has twice.
class FewKeys {
public:
    void see(std::string_view key) {
        const bool isSeen = std::find(m_seen.begin(), m_seen.end(), key) != m_seen.end();
        if (isSeen) ++repeated;
        else m_seen.emplace_back(key);
    }
    std::uint64_t repeated = 0;

private:
    std::vector<std::string> m_seen;
};

/// Counts a value that is not read, unless it follows from others.
void countOther(std::string_view key, simdjson::ondemand::value& value, CommunicationRows::Problems& problems) {
    simdjson::ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return;
    if (type == simdjson::ondemand::json_type::object || type == simdjson::ondemand::json_type::array) {
        ++problems.nested;
    } else if (key != "Wait Time Ratio" && key != "Synchronization Time Ratio" && key != "Bandwidth(Utilization)") {
        if (problems.unknown++ == 0) problems.unknownKey = key;
    }
}

/// Objects of a total, which gives no rows, that lie deeper than its own.
std::uint64_t countDeeper(std::string_view text, int most) {
    std::uint64_t deeper = 0;
    int depth = 0;
    bool isString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isString && text[i] == '\\') ++i;
        else if (text[i] == '"') isString = !isString;
        else if (!isString && text[i] == '{') deeper += ++depth > most ? 1 : 0;
        else if (!isString && text[i] == '}') --depth;
    }
    return deeper;
}

/// Levels of objects: of an operator (itself, information, transport, sizes) and of a link.
constexpr int kDepthOfOperator = 4, kDepthOfLink = 1;

template <RowKind kind>
void setOperator(RowBatch& batch, const OperatorPlace& place, const GroupDirectory& groups) {
    constexpr std::size_t kStep = rowColumn(kind, "step"), kGroup = rowColumn(kind, "group_name"),
                          kOp = rowColumn(kind, "op_name");
    if (place.step) batch.setInteger(kStep, *place.step);
    if (!place.group.empty()) batch.setText(kGroup, groups.name(place.group));
    batch.setText(kOp, place.op);
    if (place.rank) batch.setReal(clusterRankColumn(kind), static_cast<double>(*place.rank));
}

/// Where the rows of an operator go: one of its times, and those of its transports and of their packets.
struct OperatorBatches {
    RowBatch &collectives, &bandwidths, &packets;
};

/// Reads one operator of a communication.json. Functions return what ended the reading early.
class OperatorReader {
public:
    /// All must outlive the reader.
    OperatorReader(const OperatorBatches& rows, const OperatorPlace& place, const GroupDirectory& groups,
                   CommunicationRows::Problems& problems)
        : m_rows(rows), m_place(place), m_groups(groups), m_problems(problems) {}

    /// Adds its rows; what is wrong with it goes to the problems.
    void read(simdjson::ondemand::parser& parser, std::string_view text) {
        m_rows.collectives.addRow();
        setOperator<C>(m_rows.collectives, m_place, m_groups);
        m_rows.collectives.setText(fixedColumn(C, "origin"), "recorded");
        m_rows.collectives.setText(fixedColumn(C, "kind"), m_place.kind);
        m_problems.isBroken = readOperator(parser, text) != simdjson::SUCCESS;
        m_problems.repeated += m_keys.repeated + m_keysOnce.repeated().count;
    }

private:
    /// A transport after all of it was read.
    struct Transport {
        std::string_view name, size = "0", time = "0", rate{}, ratio{};
        std::size_t packets = 0;
    };

    simdjson::error_code readOperator(simdjson::ondemand::parser& parser, std::string_view text);
    simdjson::error_code readTimes(simdjson::ondemand::object times);
    simdjson::error_code readTransports(simdjson::ondemand::object transports);
    simdjson::error_code readTransport(std::string_view name, simdjson::ondemand::object facts);
    simdjson::error_code readSizes(Transport& transport, simdjson::ondemand::object sizes);
    simdjson::error_code readPacket(const Transport& transport, std::string_view size,
                                    simdjson::ondemand::array numbers);
    void addBandwidth(const Transport& transport);

    OperatorBatches m_rows;
    const OperatorPlace& m_place;
    const GroupDirectory& m_groups;
    CommunicationRows::Problems& m_problems;
    FewKeys m_keys;
    KeysOnce m_keysOnce;  // of transports and of the sizes of their packets
};

simdjson::error_code OperatorReader::readOperator(simdjson::ondemand::parser& parser, std::string_view text) {
    namespace od = simdjson::ondemand;
    od::document document;
    const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
    if (const auto error = parser.iterate(padded).get(document)) return error;
    od::object info;
    if (const auto error = document.get_object().get(info)) return error;
    for (auto field : info) {
        std::string_view key;
        if (const auto error = field.unescaped_key().get(key)) return error;
        m_keys.see(key);
        const bool isTimes = key == kTimeInfo;
        od::value value;
        if (const auto error = field.value().get(value)) return error;
        if (!isTimes && key != kBandwidthInfo) {
            countOther(key, value, m_problems);
            continue;
        }
        od::object part;
        if (const auto error = value.get_object().get(part)) return error;
        if (const auto error = isTimes ? readTimes(part) : readTransports(part)) return error;
    }
    return simdjson::SUCCESS;
}

simdjson::error_code OperatorReader::readTimes(simdjson::ondemand::object times) {
    CellWriter cells(m_rows.collectives, m_problems.badNumbers);
    FewKeys known;
    for (auto field : times) {
        std::string_view key, token;
        if (const auto error = field.unescaped_key().get(key)) return error;
        known.see(key == "Idel Time(ms)" ? "Idle Time(ms)" : key);
        simdjson::ondemand::value value;
        if (const auto error = field.value().get(value)) return error;
        token = withoutBlanksAround(value.raw_json_token());
        if (key == "Start Timestamp(us)") cells.time(fixedColumn(C, "ts"), token);
        else if (key == "Elapse Time(ms)") cells.scaled(fixedColumn(C, "elapsed"), token, kMillion);
        else if (key == "Transit Time(ms)") cells.scaled(fixedColumn(C, "transit"), token, kMillion);
        else if (key == "Wait Time(ms)") cells.scaled(fixedColumn(C, "wait"), token, kMillion);
        else if (key == "Synchronization Time(ms)") cells.scaled(fixedColumn(C, "synchronization"), token, kMillion);
        // Also as a document of the vendor spells it.
        else if (key == "Idle Time(ms)" || key == "Idel Time(ms)")
            cells.scaled(fixedColumn(C, "idle"), token, kMillion);
        else countOther(key, value, m_problems);
    }
    m_problems.repeated += known.repeated;
    return simdjson::SUCCESS;
}

simdjson::error_code OperatorReader::readTransports(simdjson::ondemand::object transports) {
    m_keysOnce.open();
    for (auto transport : transports) {
        std::string_view name;
        if (const auto error = transport.unescaped_key().get(name)) return error;
        m_keysOnce.see(name);
        const std::string kept = repairedUtf8(name);
        simdjson::ondemand::object facts;
        if (const auto error = transport.value().get_object().get(facts)) return error;
        if (const auto error = readTransport(kept, facts)) return error;
    }
    m_keysOnce.close();
    return simdjson::SUCCESS;
}

simdjson::error_code OperatorReader::readTransport(std::string_view name, simdjson::ondemand::object facts) {
    Transport transport{name};
    FewKeys known;
    for (auto field : facts) {
        std::string_view key;
        if (const auto error = field.unescaped_key().get(key)) return error;
        known.see(key);
        simdjson::ondemand::value value;
        if (const auto error = field.value().get(value)) return error;
        if (key == "Transit Size(MB)") transport.size = withoutBlanksAround(value.raw_json_token());
        else if (key == "Transit Time(ms)") transport.time = withoutBlanksAround(value.raw_json_token());
        else if (key == "Bandwidth(GB/s)") transport.rate = withoutBlanksAround(value.raw_json_token());
        else if (key == "Large Packet Ratio") transport.ratio = withoutBlanksAround(value.raw_json_token());
        else if (key == "Size Distribution") {
            simdjson::ondemand::object sizes;
            if (const auto error = value.get_object().get(sizes)) return error;
            if (const auto error = readSizes(transport, sizes)) return error;
        } else countOther(key, value, m_problems);
    }
    m_problems.repeated += known.repeated;
    addBandwidth(transport);
    return simdjson::SUCCESS;
}

simdjson::error_code OperatorReader::readSizes(Transport& transport, simdjson::ondemand::object sizes) {
    m_keysOnce.open();
    for (auto entry : sizes) {
        std::string_view size;
        if (const auto error = entry.unescaped_key().get(size)) return error;
        m_keysOnce.see(size);
        simdjson::ondemand::array numbers;
        if (const auto error = entry.value().get_array().get(numbers)) return error;
        ++transport.packets;
        if (const auto error = readPacket(transport, size, numbers)) return error;
    }
    m_keysOnce.close();
    return simdjson::SUCCESS;
}

simdjson::error_code OperatorReader::readPacket(const Transport& transport, std::string_view size,
                                                simdjson::ondemand::array numbers) {
    m_rows.packets.addRow();
    setOperator<P>(m_rows.packets, m_place, m_groups);
    m_rows.packets.setText(fixedColumn(P, "transport"), transport.name);
    CellWriter packetCells(m_rows.packets, m_problems.badNumbers);
    packetCells.scaled(fixedColumn(P, "packet_size"), size, kMillion);
    std::size_t number = 0;
    for (auto item : numbers) {
        simdjson::ondemand::value cell;
        if (const auto error = item.get(cell)) return error;
        const std::string_view token = withoutBlanksAround(cell.raw_json_token());
        if (number == 0) packetCells.scaled(fixedColumn(P, "count"), token, 1);
        if (number == 1) packetCells.scaled(fixedColumn(P, "dur"), token, kMillion);
        ++number;
    }
    return simdjson::SUCCESS;
}

void OperatorReader::addBandwidth(const Transport& transport) {
    // All transports are listed; those without traffic say nothing.
    const bool isIdle = transport.packets == 0 && parseReal(transport.size) == 0.0 &&
                        parseReal(transport.time) == 0.0 &&
                        (transport.rate.empty() || parseReal(transport.rate) == 0.0);
    if (isIdle) return;
    RowBatch& rows = m_rows.bandwidths;
    rows.addRow();
    setOperator<B>(rows, m_place, m_groups);
    rows.setText(fixedColumn(B, "transport"), transport.name);
    CellWriter cells(rows, m_problems.badNumbers);
    cells.scaled(fixedColumn(B, "size"), transport.size, kMillion);
    cells.scaled(fixedColumn(B, "transit"), transport.time, kMillion);
    if (!transport.rate.empty()) cells.real(fixedColumn(B, "gb_per_s"), transport.rate);
    if (!transport.ratio.empty()) cells.real(fixedColumn(B, "large_packet_ratio"), transport.ratio);
}

/// Reads an object of a communication_matrix.json into the last row of `links`.
/// @param op  Becomes the operator that the object names, if it does.
simdjson::error_code readLink(simdjson::ondemand::parser& parser, std::string_view text, RowBatch& links,
                              std::string& op, CommunicationRows::Problems& problems) {
    namespace od = simdjson::ondemand;
    CellWriter cells(links, problems.badNumbers);
    FewKeys known;
    od::document document;
    const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
    if (const auto error = parser.iterate(padded).get(document)) return error;
    od::object link;
    if (const auto error = document.get_object().get(link)) return error;
    for (auto field : link) {
        std::string_view key;
        if (const auto error = field.unescaped_key().get(key)) return error;
        od::value value;
        if (const auto error = field.value().get(value)) return error;
        known.see(key);
        const bool isName = key == "Op Name" || key == "op_name";
        if (isName || key == "Transport Type") {
            std::string_view word;
            if (const auto error = value.get_string().get(word)) return error;
            if (!isName) links.setText(fixedColumn(L, "transport"), word);
            else op = std::string(operatorKey(word).op);
            continue;
        }
        const std::string_view token = withoutBlanksAround(value.raw_json_token());
        if (key == "Transit Size(MB)") cells.scaled(fixedColumn(L, "size"), token, kMillion);
        else if (key == "Transit Time(ms)") cells.scaled(fixedColumn(L, "transit"), token, kMillion);
        else if (key == "Bandwidth(GB/s)") cells.real(fixedColumn(L, "gb_per_s"), token);
        else countOther(key, value, problems);
    }
    problems.repeated += known.repeated;
    return simdjson::SUCCESS;
}

/// Sets the local ranks of a link, which are indexes of the group's ranks, and these where the group is known.
void setLocalEnds(RowBatch& links, const std::pair<std::int64_t, std::int64_t>& ends, const KnownGroup* group) {
    links.setInteger(fixedColumn(L, "src_local"), ends.first);
    links.setInteger(fixedColumn(L, "dst_local"), ends.second);
    if (group == nullptr) return;
    const auto count = static_cast<std::int64_t>(group->ranks.size());
    const auto global = [&](std::int64_t local) -> std::optional<std::int64_t> {
        if (local < 0 || local >= count) return std::nullopt;
        return group->ranks[static_cast<std::size_t>(local)];
    };
    if (const auto rank = global(ends.first)) links.setInteger(fixedColumn(L, "src_rank"), *rank);
    if (const auto rank = global(ends.second)) links.setInteger(fixedColumn(L, "dst_rank"), *rank);
}

}  // namespace

struct CommunicationRows::Parser {
    simdjson::ondemand::parser parser;
};

RowBatch CommunicationRows::batchOf(RowTablesBuilder& builder, RowKind kind, CommunicationOf of) {
    if (of == CommunicationOf::Cluster) {
        builder.extraColumn(kind, "cluster_rank");
        if (kind == L) builder.extraColumn(kind, "cluster_set");
    }
    return builder.batch(kind);
}

CommunicationRows::CommunicationRows(RowTablesBuilder& builder, const GroupDirectory& groups, CommunicationOf of)
    : m_collectives(batchOf(builder, C, of)), m_bandwidths(batchOf(builder, B, of)), m_packets(batchOf(builder, P, of)),
      m_links(batchOf(builder, L, of)), m_groups(groups), m_of(of), m_parser(std::make_unique<Parser>()) {}

CommunicationRows::~CommunicationRows() = default;

std::vector<RowTablesBuilder::Packed> CommunicationRows::take() {
    std::vector<RowTablesBuilder::Packed> packed;
    for (RowBatch* batch : {&m_collectives, &m_bandwidths, &m_packets, &m_links})
        packed.push_back(RowTablesBuilder::pack(*batch));
    return packed;
}

CommunicationRows::Problems CommunicationRows::addOperator(const JsonLeaf& leaf, std::string_view text) {
    Problems problems;
    std::span<const JsonKey> path = leaf.path;
    std::optional<std::int64_t> rank;
    if (m_of == CommunicationOf::Cluster) {
        // The rank is the innermost key.
        rank = path.size() > 1 ? clusterRankOf(*path.back()) : std::nullopt;
        if (path.size() > 1) path = path.first(path.size() - 1);
    }
    if (isTotal(*path.back())) {
        problems.nested = countDeeper(text, kDepthOfOperator);
        return problems;
    }
    if (m_of == CommunicationOf::Cluster && !rank) {
        problems.isNowhere = true;
        return problems;
    }
    OperatorPlace place = operatorPlace(path, m_of);
    problems.hasOddKey = place.hasOddKey;
    place.rank = rank;

    OperatorReader reader({m_collectives, m_bandwidths, m_packets}, place, m_groups, problems);
    reader.read(m_parser->parser, text);
    return problems;
}

CommunicationRows::Problems CommunicationRows::addLink(const JsonLeaf& leaf, std::string_view text,
                                                       std::uint32_t clusterSet) {
    Problems problems;
    if (leaf.path.size() < 2) {
        problems.isBroken = true;
        return problems;
    }
    const auto path = std::span<const JsonKey>(leaf.path).first(leaf.path.size() - 1);
    if (isTotal(*path.back())) {
        problems.nested = countDeeper(text, kDepthOfLink);
        return problems;
    }
    const auto ends = linkEnds(*leaf.path.back());
    if (m_of == CommunicationOf::Cluster && !ends) {
        problems.isNowhere = true;
        return problems;
    }
    OperatorPlace place = operatorPlace(path, m_of);
    problems.hasOddKey = place.hasOddKey;
    if (m_of == CommunicationOf::Cluster) place.rank = ends->first;
    const auto [op, selection] = linkKeyParts(place.op);
    place.op.resize(op.size());

    m_links.addRow();
    problems.isBroken = readLink(m_parser->parser, text, m_links, place.op, problems) != simdjson::SUCCESS;
    setOperator<L>(m_links, place, m_groups);
    m_links.setText(fixedColumn(L, "selection"), selection);
    if (!ends) {
        ++problems.badNumbers;
    } else if (m_of == CommunicationOf::Rank) {
        setLocalEnds(m_links, *ends, m_groups.find(place.group));
    } else {
        m_links.setInteger(fixedColumn(L, "src_rank"), ends->first);
        m_links.setInteger(fixedColumn(L, "dst_rank"), ends->second);
        m_links.setReal(kClusterSetColumn, clusterSet);
    }
    return problems;
}

}  // namespace altiscope::reader
