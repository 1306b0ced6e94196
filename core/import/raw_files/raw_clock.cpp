#include "core/import/raw_files/raw_clock.h"

#include "core/base/files/file.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>

namespace altiscope::reader {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kNsPerRawUs = 1000;
/// Limit of a number in the settings. Clocks add up to four of them, less than this each: begins of the collection on
/// two clocks, the host's time at its count, and by how much its counter was late.
constexpr std::int64_t kMaxSettingNs = std::int64_t{1} << 61;
static_assert(kMaxSettingNs - 1 <= std::numeric_limits<std::int64_t>::max() / 4);

std::optional<std::int64_t> sane(std::optional<std::int64_t> ns) {
    return ns && *ns > -kMaxSettingNs && *ns < kMaxSettingNs ? ns : std::nullopt;
}

Wide floorDivide(Wide value, Wide divisor) {
    const Wide quotient = value / divisor;
    return value % divisor < 0 ? quotient - 1 : quotient;
}

std::uint64_t hertzOf(const std::optional<std::int64_t>& hertz) {
    return hertz && *hertz > 0
               ? static_cast<std::uint64_t>(std::min<std::int64_t>(*hertz, std::int64_t{1'000'000'000'000}))
               : 0;
}

/// A value of the first object of a list that has it; the metadata keep lists as text: `"key": "50"`.
std::optional<std::string_view> valueInList(const std::string* list, std::string_view key) {
    if (list == nullptr) return std::nullopt;
    const auto found = list->find('"' + std::string(key) + "\":");
    if (found == std::string::npos) return std::nullopt;
    std::string_view rest = std::string_view(*list).substr(found + key.size() + 3);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.starts_with('"')) rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest.substr(0, rest.find_first_of("\",} ]"));
}

std::optional<std::int64_t> numberInList(const std::string* list, std::string_view key, std::int64_t factor) {
    const auto value = valueInList(list, key);
    return value ? parseScaled(*value, factor) : std::nullopt;
}

/// "0x8,0xa": the events of a list. Slots of records are at most so many.
std::vector<std::uint32_t> eventNumbers(std::string_view rest) {
    static constexpr std::size_t kSlots = 8;
    std::vector<std::uint32_t> events;
    while (!rest.empty() && events.size() < kSlots) {
        std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        while (one.starts_with(' ')) one.remove_prefix(1);
        const bool isHex = one.starts_with("0x") || one.starts_with("0X");
        if (isHex) one.remove_prefix(2);
        std::uint32_t event = 0;
        const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), event, isHex ? 16 : 10);
        // A slot whose event has no known name still is one.
        events.push_back(error == std::errc() ? event : 0);
    }
    return events;
}
std::vector<std::uint32_t> eventNumbers(const std::string* list) {
    return eventNumbers(list == nullptr ? std::string_view() : std::string_view(*list));
}

/// "HA:0x00,0x01;SMMU:0x2": the events of one kind.
std::vector<std::uint32_t> eventsOfKind(const std::string* list, std::string_view kind) {
    std::string_view rest = list == nullptr ? std::string_view() : std::string_view(*list);
    while (!rest.empty()) {
        std::string_view one = rest.substr(0, rest.find(';'));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        while (one.starts_with(' ')) one.remove_prefix(1);
        if (one.starts_with(kind) && one.substr(kind.size()).starts_with(':'))
            return eventNumbers(one.substr(kind.size() + 1));
    }
    return {};
}

/// "key: value" per line.
std::optional<std::uint64_t> lineNumber(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || line.substr(0, colon) != key) continue;
        line = line.substr(colon + 1);
        const auto begin = line.find_first_not_of(" \t");
        const auto end = line.find_last_not_of(" \t\r");
        if (begin == std::string_view::npos) return std::nullopt;
        const std::string_view number = line.substr(begin, end - begin + 1);
        if (number.starts_with('-')) {
            const auto negative = wholeNumber(number);
            return negative ? std::optional(static_cast<std::uint64_t>(*negative)) : std::nullopt;
        }
        return wholeNumber<std::uint64_t>(number);
    }
    return std::nullopt;
}

std::string textOfSideFile(const std::filesystem::path& path, const std::string& name, Diagnostics& diagnostics) {
    static constexpr std::uint64_t kMaxLog = std::uint64_t{1} << 20;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return {};
    const auto text = readSmallFile(path, kMaxLog);
    if (text.ok()) return text.value();
    diagnostics.add(text.error().code, Severity::Lost, name, {}, text.error().parameters);
    return {};
}

}  // namespace

RawClock::RawClock(std::uint64_t hertz, std::uint64_t start, std::int64_t wallNs, std::int64_t lateCounts,
                   std::uint64_t lateHertz)
    : m_hertz(std::max<std::uint64_t>(hertz, 1)), m_start(start), m_wallNs(wallNs),
      m_lateHertz(std::max<std::uint64_t>(lateHertz, 1)) {
    const Wide late = Wide{lateCounts} * kNsPerSecond;
    const Wide whole = floorDivide(late, static_cast<Wide>(m_lateHertz));
    m_lateRest = static_cast<std::int64_t>(late - whole * static_cast<Wide>(m_lateHertz));
    if (whole > -kMaxSettingNs && whole < kMaxSettingNs) m_wallNs += static_cast<std::int64_t>(whole);
    static constexpr auto kSecond = static_cast<std::uint64_t>(kNsPerSecond);
    if (kSecond % m_hertz == 0) m_nsPerCount = static_cast<std::int64_t>(kSecond / m_hertz);
}

std::optional<std::int64_t> RawClock::exactWall(std::uint64_t count) const {
    const auto counts = static_cast<std::int64_t>(count - m_start);
    // A part of a second, times 10^9, fits into 64 bits where clocks are no faster; 64 bits divide quickly.
    static constexpr std::uint64_t kMaxQuick = 9'000'000'000;
    if (m_hertz <= kMaxQuick) {
        const auto perSecond = static_cast<std::int64_t>(m_hertz);
        std::int64_t seconds = counts / perSecond, after = counts % perSecond;
        if (after < 0) {
            after += perSecond;
            --seconds;
        }
        const std::int64_t parts = after * kNsPerSecond, left = parts % perSecond;
        Wide sum = Wide{seconds} * kNsPerSecond + parts / perSecond + m_wallNs;
        // Together the two fractions are less than 2.
        if (m_lateRest != 0 && Wide{left} * static_cast<Wide>(m_lateHertz) + Wide{m_lateRest} * perSecond >=
                                   Wide{perSecond} * static_cast<Wide>(m_lateHertz))
            ++sum;
        if (sum <= 0 || sum >= kMaxRawWallNs) return std::nullopt;
        return static_cast<std::int64_t>(sum);
    }
    const Wide ns = Wide{counts} * kNsPerSecond;
    const auto hertz = static_cast<Wide>(m_hertz), lateHertz = static_cast<Wide>(m_lateHertz);
    const Wide whole = floorDivide(ns, hertz);
    const Wide rest = ns - whole * hertz;
    const Wide sum = whole + m_wallNs + (rest * lateHertz + Wide{m_lateRest} * hertz) / (hertz * lateHertz);
    if (sum <= 0 || sum >= kMaxRawWallNs) return std::nullopt;
    return static_cast<std::int64_t>(sum);
}

RawClock RawSettings::hostClock() const {
    const std::int64_t offset = wallBegin - monotonicBegin;
    if (!hostHertz) return {static_cast<std::uint64_t>(kNsPerSecond), 0, offset};
    return {*hostHertz, hostCount, hostMonotonic + offset, hostDifference, *hostHertz};
}

RawClock RawSettings::deviceClock() const {
    return {deviceHertz.value_or(1), deviceCount.value_or(0), hostMonotonic + wallBegin - monotonicBegin,
            hostDifference, hostHertz.value_or(static_cast<std::uint64_t>(kNsPerSecond))};
}

std::int64_t RawSettings::deviceStart() const {
    // Where the host's counter began late its clock did so, too.
    const long double late =
        hostHertz ? static_cast<long double>(hostDifference) * 1e9L / static_cast<long double>(*hostHertz) : 0;
    const Wide start = Wide{wallBegin} + hostMonotonic - monotonicBegin + static_cast<Wide>(late);
    return static_cast<std::int64_t>(std::clamp<Wide>(start, -Wide{kMaxRawWallNs}, Wide{kMaxRawWallNs}));
}

namespace {

constexpr std::int64_t kPartsOfReal = 1'000'000;

/// Millionths of a real to the next whole one, halves to the even one, as it is printed with six decimals.
/// @pre It is below 2^62.
Wide millionths(double value) {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    static constexpr int kMantissaBits = 53;
    const Wide product = Wide{std::llround(std::ldexp(fraction, kMantissaBits))} * kPartsOfReal;
    const int shift = kMantissaBits - exponent;
    Wide whole = 0;
    if (shift <= 0) {
        whole = product << -shift;
    } else if (shift < 120) {
        const Wide one = Wide{1} << shift, rest = product % one, half = one / 2;
        whole = product / one;
        if (rest > half || (rest == half && whole % 2 != 0)) ++whole;
    }
    return value < 0 ? -whole : whole;
}

/// The double that is the sum of the decimal digits of a number of thousandths, the last digit first.
double sumOfDigits(Wide thousandths) {
    static constexpr double kTen = 10;
    Wide rest = thousandths < 0 ? -thousandths : thousandths;
    double sum = 0;
    for (int place = -3; rest > 0; ++place, rest /= 10)
        sum += static_cast<double>(static_cast<int>(rest % 10)) * std::pow(kTen, place);
    return thousandths < 0 ? -sum : sum;
}

constexpr std::int64_t kExactDouble = std::int64_t{1} << 53;
constexpr std::int64_t kThousandths = 1000;

}  // namespace

bool RawSettings::hasExactReals(std::uint64_t maxCount) const {
    const std::uint64_t hertz = deviceHertz.value_or(1);
    if (hertz == 0 || static_cast<std::uint64_t>(kNsPerSecond) % hertz != 0) return false;
    const Wide last = Wide{static_cast<std::int64_t>(maxCount - deviceCount.value_or(0))} *
                          (kNsPerSecond / static_cast<std::int64_t>(hertz)) +
                      deviceStart() - wallBegin + monotonicBegin;
    // Hardly a host is up for more than 834 days: what counts from elsewhere is kept as it is.
    static constexpr std::int64_t kMaxUptime = std::int64_t{1} << 56;
    return last > -kExactDouble && (last < kExactDouble || last > kMaxUptime);
}

double RawSettings::deviceReal(std::uint64_t count) const {
    const std::uint64_t hertz = std::max<std::uint64_t>(deviceHertz.value_or(1), 1);
    const auto passed = static_cast<std::int64_t>(count - deviceCount.value_or(0));
    const std::int64_t start = deviceStart() - wallBegin + monotonicBegin;
    if (static_cast<std::uint64_t>(kNsPerSecond) % hertz == 0) {
        const Wide ns = Wide{passed} * (kNsPerSecond / static_cast<std::int64_t>(hertz)) + start;
        if (ns > -kExactDouble && ns < kExactDouble) return static_cast<double>(static_cast<std::int64_t>(ns));
        return sumOfDigits(ns * kThousandths);
    }
    // Microseconds as a double, then six decimals of them.
    const double microseconds = std::fabs(static_cast<double>(passed)) / (static_cast<double>(hertz) / 1e6);
    if (!(microseconds < 4e18)) return std::numeric_limits<double>::quiet_NaN();
    const Wide parts = millionths(microseconds);
    return sumOfDigits(Wide{start} * kThousandths + (passed < 0 ? -parts : parts));
}

std::optional<std::int64_t> RawSettings::wallOfReal(double monotonic, double length) const {
    static constexpr double kMax = 4e18;
    if (!(std::fabs(monotonic) < kMax) || !(std::fabs(length) < kMax)) return std::nullopt;
    const Wide wall =
        floorDivide(millionths(monotonic) + millionths(length), kPartsOfReal) + wallBegin - monotonicBegin;
    return wall > 0 && wall < kMaxRawWallNs ? std::optional(static_cast<std::int64_t>(wall)) : std::nullopt;
}

bool hasSameHostClock(const RawSettings& device, const RawSettings& host) {
    static constexpr double kMaxNs = 1e10;
    const auto offsetOf = [](const RawSettings& one) { return one.wallBegin - one.monotonicBegin; };
    if (std::fabs(static_cast<double>(offsetOf(device)) - static_cast<double>(offsetOf(host))) > kMaxNs) return false;
    if (!host.hostHertz || device.hostHertz != host.hostHertz) return device.hostHertz == host.hostHertz;
    const auto counts = static_cast<double>(static_cast<std::int64_t>(device.hostCount - host.hostCount));
    const double passed = static_cast<double>(device.hostMonotonic) - static_cast<double>(host.hostMonotonic);
    return std::fabs(counts * 1e9 / static_cast<double>(*host.hostHertz) - passed) <= kMaxNs / 10;
}

std::optional<std::int64_t> rawRealTime(std::int64_t exact) {
    if (exact <= 0 || exact > kMaxTimeNs) return std::nullopt;
    return static_cast<std::int64_t>(static_cast<double>(exact));
}

std::optional<std::int64_t> RawSettings::wallOfSample(std::uint64_t microseconds) const {
    // A run of a hundred years is none.
    static constexpr std::uint64_t kMax = std::uint64_t{1} << 51;
    static constexpr std::int64_t kNsOfMicrosecond = 1000;
    if (microseconds > kMax) return std::nullopt;
    const Wide offset = Wide{wallBegin} - monotonicBegin;
    const Wide monotonic = Wide{deviceStart()} - offset + static_cast<std::int64_t>(microseconds) * kNsOfMicrosecond;
    // The vendor adds two reals, each rounded for itself, and rounds their sum once more; the offset is a difference of
    // microseconds, which keeps a quarter of one.
    static constexpr double kNsOfRealMicrosecond = 1000;
    const double us =
        static_cast<double>(wallBegin / kNsOfMicrosecond) - static_cast<double>(monotonicBegin) / kNsOfRealMicrosecond;
    const double wall = us * kNsOfRealMicrosecond + static_cast<double>(monotonic);
    return wall > 0 && wall < static_cast<double>(kMaxRawWallNs) ? std::optional(static_cast<std::int64_t>(wall))
                                                                 : std::nullopt;
}

std::optional<std::int64_t> RawSettings::wallOfDevice(std::int64_t monotonic) const {
    if (!deviceMonotonic || monotonic <= -kMaxSettingNs || monotonic >= kMaxSettingNs) return std::nullopt;
    const Wide wall = Wide{deviceStart()} + monotonic - *deviceMonotonic;
    return wall > 0 && wall < kMaxRawWallNs ? std::optional(static_cast<std::int64_t>(wall)) : std::nullopt;
}

namespace {

/// "L2,DDR": at most so many, as a sample has room for.
std::vector<std::string> namesOf(const std::string* list) {
    static constexpr std::size_t kMax = 10;
    std::vector<std::string> names;
    std::string_view rest = list == nullptr ? std::string_view() : std::string_view(*list);
    while (!rest.empty() && names.size() < kMax) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        names.emplace_back(one);
    }
    return names;
}

/// "9.1.0": from 9.1 on.
bool isLateCann(std::string_view version) {
    const auto dot = version.find('.');
    const auto major = wholeNumber(version.substr(0, dot));
    if (!major || *major != 9) return major && *major > 9;
    if (dot == std::string_view::npos) return false;
    const std::string_view rest = version.substr(dot + 1);
    return wholeNumber(rest.substr(0, rest.find_first_not_of("0123456789"))).value_or(0) >= 1;
}

/// Names of the files that do not agree with start_info about the way from the monotonic clock to wall time; empty if
/// they do. @param realNs  Of host_start.log. @param end  Of end_info.
std::string differingClocks(const RawSettings& settings, std::optional<std::uint64_t> realNs, const Metadata& end) {
    // Wall clocks are set now and then, by less.
    static constexpr std::int64_t kMaxNs = 10 * kNsPerSecond;
    const std::int64_t offset = settings.wallBegin - settings.monotonicBegin;
    const auto differs = [offset](std::int64_t wall, std::int64_t monotonic) {
        const Wide difference = Wide{wall} - monotonic - offset;
        return difference > kMaxNs || difference < -kMaxNs;
    };
    const auto real = realNs ? sane(static_cast<std::int64_t>(*realNs)) : std::nullopt;
    std::string what;
    if (realNs && settings.hostMonotonic != 0 && (!real || differs(*real, settings.hostMonotonic)))
        what = "host_start.log";
    if (end.empty()) return what;
    const auto monotonic = sane(scaledValue(end, "clockMonotonicRaw", 1));
    const bool isEndWrong = settings.wallEnd < settings.wallBegin ||
                            (monotonic && *monotonic != 0 && differs(settings.wallEnd, *monotonic));
    if (isEndWrong) what += what.empty() ? "end_info" : ", end_info";
    return what;
}

/// The files of settings in a folder of raw data. Files that are absent are empty.
struct SettingFiles {
    const std::filesystem::path& folder;
    const std::string& name;
    Diagnostics& diagnostics;

    Metadata facts(const std::string& file, Diagnostics& problems) const {
        std::error_code error;
        const std::filesystem::path path = folder / file;
        return std::filesystem::exists(path, error) ? readMetadata(path, name + '/' + file, problems) : Metadata{};
    }
    std::string log(const std::string& file) const {
        return textOfSideFile(folder / file, name + '/' + file, diagnostics);
    }
};

/// @return Whether the unit of the host's stamps is known.
bool applyInfo(const Metadata& info, RawSettings& settings) {
    static constexpr std::int64_t kHertzPerMegahertz = 1'000'000;
    if (const std::string* platform = findKey(info, "platform_version")) settings.platform = *platform;
    settings.process = scaledValue(info, "pid", 1).value_or(0);
    if (const std::string* id = findKey(info, "hostUid")) settings.hostId = *id;
    if (const std::string* host = findKey(info, "hostname")) settings.hostName = *host;
    if (const std::string* process = findKey(info, "pid_name")) settings.processName = *process;
    if (const std::string* cann = findKey(info, "cannVersion")) settings.pairsStreamMarks = isLateCann(*cann);
    const std::string* version = findKey(info, "version");
    settings.isVersion2 = version != nullptr && version->starts_with("2");
    const std::string* device = findKey(info, "DeviceInfo");
    if (const std::uint64_t hertz = hertzOf(numberInList(device, "hwts_frequency", kHertzPerMegahertz)))
        settings.deviceHertz = hertz;
    settings.cores = numberInList(device, "ai_core_num", 1).value_or(0);
    settings.vectorCores = numberInList(device, "aiv_num", 1).value_or(0);
    settings.coreHertz = hertzOf(numberInList(device, "aic_frequency", kHertzPerMegahertz));
    // An empty frequency, or 1000 MHz: stamps are ns already. None at all: their unit is not known.
    const auto frequency = valueInList(findKey(info, "CPU"), "Frequency");
    const std::uint64_t host = frequency ? hertzOf(parseScaled(*frequency, kHertzPerMegahertz)) : 0;
    if (host != 0 && host != static_cast<std::uint64_t>(kNsPerSecond)) settings.hostHertz = host;
    return frequency && (frequency->empty() || host != 0);
}

void applySample(const Metadata& sample, RawSettings& settings) {
    const std::string* level = findKey(sample, "profLevel");
    if (level == nullptr) level = findKey(sample, "prof_level");
    settings.isLevelZero = level != nullptr && (*level == "l0" || *level == "level0");
    if (const std::string* metrics = findKey(sample, "ai_core_metrics")) settings.coreMetrics = *metrics;
    settings.vectorMetrics = settings.coreMetrics;
    if (const std::string* metrics = findKey(sample, "aiv_metrics")) settings.vectorMetrics = *metrics;
    settings.coreEvents = eventNumbers(findKey(sample, "ai_core_profiling_events"));
    settings.vectorEvents = eventNumbers(findKey(sample, "aiv_profiling_events"));
    if (const std::string* kinds = findKey(sample, "hbm_profiling_events"); kinds != nullptr && !kinds->empty())
        settings.memoryKinds = 1 + std::count(kinds->begin(), kinds->end(), ',');
    if (const std::string* mode = findKey(sample, "llc_profiling")) settings.cacheMode = *mode;
    settings.qosNames = namesOf(findKey(sample, "qosEvents"));
    settings.cacheEvents = eventNumbers(findKey(sample, "l2CacheTaskProfilingEvents"));
    settings.translationEvents = eventsOfKind(findKey(sample, "npuEvents"), "SMMU");
}

std::optional<std::int64_t> saneLine(std::string_view text, std::string_view key) {
    const auto number = lineNumber(text, key);
    return number ? sane(static_cast<std::int64_t>(*number)) : std::nullopt;
}

}  // namespace

RawSettings readRawSettings(const std::filesystem::path& folder, const std::string& name, const std::string& suffix,
                            Diagnostics& diagnostics) {
    const SettingFiles files{folder, name, diagnostics};
    RawSettings settings;
    // The scan has read info.json before, and said what is wrong with it.
    Diagnostics ofScan;
    const Metadata info = files.facts("info.json" + suffix, ofScan), sample = files.facts("sample.json", diagnostics),
                   start = files.facts("start_info" + suffix, diagnostics),
                   end = files.facts("end_info" + suffix, diagnostics);
    const bool isHostKnown = applyInfo(info, settings);
    applySample(sample, settings);

    const auto wall = sane(scaledValue(start, "collectionTimeBegin", kNsPerRawUs)),
               monotonic = sane(scaledValue(start, "clockMonotonicRaw", 1));
    settings.wallBegin = std::max<std::int64_t>(wall.value_or(0), 0);
    settings.monotonicBegin = monotonic.value_or(0);
    settings.wallEnd = sane(scaledValue(end, "collectionTimeEnd", kNsPerRawUs)).value_or(0);
    const std::string hostText = files.log("host_start.log" + suffix);
    const auto hostMonotonic = saneLine(hostText, "clock_monotonic_raw");
    const auto hostCount = lineNumber(hostText, "cntvct");
    settings.hostMonotonic = hostMonotonic.value_or(0);
    settings.hostCount = hostCount.value_or(0);
    settings.hostDifference = static_cast<std::int64_t>(lineNumber(hostText, "cntvct_diff").value_or(0));
    bool hasClock = wall && monotonic;
    if (suffix.empty()) {
        hasClock = hasClock && isHostKnown && (!settings.hostHertz || (hostMonotonic && hostCount));
    } else {
        const std::string text = files.log("dev_start.log" + suffix);
        settings.deviceCount = lineNumber(text, "cntvct");
        settings.deviceMonotonic = saneLine(text, "clock_monotonic_raw");
        hasClock = hasClock && settings.deviceHertz && settings.deviceCount && hostMonotonic &&
                   (isHostKnown || settings.hostDifference == 0);
    }
    // At the bounds of what deviceStart() gives: the numbers of the clocks do not belong together.
    const std::int64_t started = settings.deviceStart();
    settings.hasClock = hasClock && started > -kMaxRawWallNs && started < kMaxRawWallNs;
    if (!settings.hasClock) diagnostics.add("raw.no_clock", Severity::Lost, name, {});
    else if (const std::string what = differingClocks(settings, lineNumber(hostText, "clock_realtime"), end);
             !what.empty())
        diagnostics.add("raw.clocks_differ", Severity::Repaired, name, {}, {{"what", what}});
    return settings;
}

RawTaskLog rawTaskLog(const std::string& platform) {
    if (platform == "5") return RawTaskLog::Stars;
    const bool isHwts = platform.size() == 1 && platform >= "1" && platform <= "4";
    return isHwts ? RawTaskLog::Hwts : RawTaskLog::None;
}

}  // namespace altiscope::reader
