#include "core/import/monitor/monitor_lines.h"

#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/store/rows/row_kinds.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

namespace altiscope::reader {

namespace {

/// Numbers of processes, threads, devices and streams have 32 bits where they come from.
constexpr std::uint64_t kMaxId = UINT32_MAX;
/// Each costs memory.
constexpr auto kMaxDeviceNumber = static_cast<std::uint64_t>(kMaxDevice);

struct KindWord {
    std::string_view word;
    MonitorLine::Kind kind;
};
constexpr std::array<KindWord, 8> kKindWords{{{"API", MonitorLine::Kind::Call},
                                              {"AclAPI", MonitorLine::Kind::Call},
                                              {"NodeAPI", MonitorLine::Kind::Call},
                                              {"RuntimeAPI", MonitorLine::Kind::Call},
                                              {"Communication", MonitorLine::Kind::Communication},
                                              {"Kernel", MonitorLine::Kind::Kernel},
                                              {"rank_device_map", MonitorLine::Kind::Devices},
                                              {"parallel_group_info", MonitorLine::Kind::Groups}}};

}  // namespace

std::optional<MonitorFileName> monitorFileName(std::string_view name) {
    static constexpr std::string_view kBegin = "msmonitor_", kEnd = ".jsonl";
    if (name.size() <= kBegin.size() + kEnd.size() || !name.starts_with(kBegin) || !name.ends_with(kEnd))
        return std::nullopt;
    MonitorFileName parts;
    parts.process = name;
    const std::string_view rest = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
    const std::size_t first = rest.find('_'), last = rest.rfind('_');
    if (first == std::string_view::npos || first == last || rest.find('_', first + 1) != last) return parts;
    const std::string_view pid = rest.substr(0, first), stamp = rest.substr(first + 1, last - first - 1),
                           rank = rest.substr(last + 1);
    const auto number = wholeNumber(pid), rankNumber = wholeNumber(rank);
    if (!number || *number < 0 || !rankNumber || *rankNumber < -1 || !wholeNumber<std::uint64_t>(stamp)) return parts;
    parts.process = std::string(pid) + '_' + std::string(rank);
    parts.stamp = stamp;
    parts.pid = *number;
    if (*rankNumber >= 0) parts.rank = *rankNumber;
    return parts;
}

struct MonitorLineParser::Parser {
    simdjson::dom::parser dom;
};

/// The fields of one line. Faults are reported to the parser.
class MonitorLineParser::Fields {
public:
    Fields(MonitorLineParser& owner, simdjson::dom::object object) : m_owner(owner), m_object(object) {}

    std::optional<std::string_view> text(std::string_view key) const {
        std::string_view value;
        return m_object[key].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
    }
    /// A whole number from 0 on.
    std::optional<std::int64_t> number(std::string_view key, std::uint64_t most) const {
        std::uint64_t value = 0;
        if (m_object[key].get(value) != simdjson::SUCCESS || value > most) return std::nullopt;
        return static_cast<std::int64_t>(value);
    }
    std::string_view textIfThere(std::string_view key) const {
        const auto value = text(key);
        if (!value && isThere(key)) m_owner.m_odd.push_back(key);
        return value.value_or(std::string_view());
    }
    std::optional<std::int64_t> numberIfThere(std::string_view key) const {
        const auto value = number(key, static_cast<std::uint64_t>(INT64_MAX));
        if (!value && isThere(key)) m_owner.m_odd.push_back(key);
        return value;
    }
    bool need(std::string_view key, std::uint64_t most, std::int64_t& to) const {
        const auto value = number(key, most);
        if (!value) m_owner.m_detail = key;
        to = value.value_or(0);
        return value.has_value();
    }
    simdjson::dom::object object() const { return m_object; }

private:
    bool isThere(std::string_view key) const { return m_object[key].error() != simdjson::NO_SUCH_FIELD; }
    MonitorLineParser& m_owner;
    simdjson::dom::object m_object;
};

MonitorLineParser::MonitorLineParser() : m_parser(std::make_unique<Parser>()) {}
MonitorLineParser::~MonitorLineParser() = default;

bool MonitorLineParser::takeTimes(const Fields& fields) {
    static constexpr auto kMax = static_cast<std::uint64_t>(kMaxTimeNs);
    const auto name = fields.text("name");
    if (name) m_line.name = *name;
    else m_odd.push_back("name");
    if (!fields.need("startNs", kMax, m_line.begin) || !fields.need("endNs", kMax, m_line.end)) return false;
    m_isReversed = m_line.end < m_line.begin;
    if (m_isReversed) m_line.end = m_line.begin;
    return true;
}

bool MonitorLineParser::takeHost(const Fields& fields) {
    return fields.need("processId", kMaxId, m_line.process) && fields.need("threadId", kMaxId, m_line.thread);
}

bool MonitorLineParser::takeDevice(const Fields& fields) {
    return fields.need("deviceId", kMaxDeviceNumber, m_line.device) && fields.need("streamId", kMaxId, m_line.stream);
}

MonitorOutcome MonitorLineParser::take(const Fields& fields) {
    using Kind = MonitorLine::Kind;
    const auto kind = fields.text("kind");
    m_line.kindText = kind.value_or(std::string_view());
    const bool isMark = m_line.kindText == "Marker";
    const auto* word = std::find_if(kKindWords.begin(), kKindWords.end(),
                                    [&](const KindWord& one) { return one.word == m_line.kindText; });
    if (!isMark && word == kKindWords.end()) {
        m_detail = m_line.kindText;
        return MonitorOutcome::UnknownKind;
    }
    if (isMark) {
        const auto side = fields.text("sourceKind");
        m_detail = "sourceKind";
        if (side != "Host" && side != "Device") return MonitorOutcome::BadField;
        m_line.kind = side == "Host" ? Kind::HostMark : Kind::DeviceMark;
    } else {
        m_line.kind = word->kind;
    }
    switch (m_line.kind) {
    case Kind::Call:
        if (!takeTimes(fields) || !takeHost(fields)) return MonitorOutcome::BadField;
        m_line.connection = fields.numberIfThere("correlationId");
        break;
    case Kind::Communication:
        if (!takeTimes(fields) || !takeDevice(fields)) return MonitorOutcome::BadField;
        m_line.text = fields.textIfThere("commName");
        m_line.connection = fields.numberIfThere("correlationId");
        break;
    case Kind::Kernel:
        if (!takeTimes(fields) || !takeDevice(fields)) return MonitorOutcome::BadField;
        m_line.text = fields.textIfThere("type");
        m_line.connection = fields.numberIfThere("correlationId");
        break;
    case Kind::HostMark:
    case Kind::DeviceMark:
        if (!takeTimes(fields)) return MonitorOutcome::BadField;
        if (!(m_line.kind == Kind::HostMark ? takeHost(fields) : takeDevice(fields))) return MonitorOutcome::BadField;
        m_line.text = fields.textIfThere("domain");
        m_line.connection = fields.numberIfThere("id");
        break;
    case Kind::Devices: {
        simdjson::dom::array devices;
        m_detail = "device";
        if (fields.object()["device"].get(devices) != simdjson::SUCCESS) return MonitorOutcome::BadField;
        for (const simdjson::dom::element one : devices) {
            std::uint64_t device = 0;
            if (one.get(device) != simdjson::SUCCESS || device > kMaxDeviceNumber) return MonitorOutcome::BadField;
            m_line.devices.push_back(static_cast<std::int64_t>(device));
        }
        break;
    }
    case Kind::Groups: {
        const auto value = fields.text("value");
        m_detail = "value";
        if (!value) return MonitorOutcome::BadField;
        m_line.text = *value;
        break;
    }
    }
    return MonitorOutcome::Taken;
}

MonitorOutcome MonitorLineParser::read(std::string_view text) {
    m_line = MonitorLine{};
    m_detail.clear();
    m_odd.clear();
    m_isReversed = false;
    simdjson::dom::object object;
    if (m_parser->dom.parse(text.data(), text.size()).get(object) != simdjson::SUCCESS) return MonitorOutcome::Broken;
    return take(Fields(*this, object));
}

std::string MonitorLineParser::arguments(std::string_view text) {
    simdjson::dom::object object;
    if (m_parser->dom.parse(text.data(), text.size()).get(object) != simdjson::SUCCESS) return {};
    std::string all;
    for (const auto& [key, value] : object) {
        if (key == "name" || key == "startNs" || key == "endNs") continue;
        all += (all.empty() ? "{" : ", ") + jsonQuoted(key) + ": " + simdjson::minify(value);
    }
    return all.empty() ? all : all + '}';
}

}  // namespace altiscope::reader
