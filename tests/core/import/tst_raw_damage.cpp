#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_records/raw_device.h"
#include "core/import/raw_records/raw_frequency.h"
#include "core/import/raw_records/raw_metrics.h"
#include "core/import/raw_records/raw_rounds.h"
#include "core/trace/raw/raw_layouts.h"
#include "tests/core/import/raw_bytes.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::reader;
using namespace altiscope::test;

namespace {

constexpr std::string_view kHbm = "device_0/data/hbm.data.0.slice_";

/// What readers of raw files need, for the files of one folder.
struct Reading {
    explicit Reading(const TestFolder& folder) : files(listRawFiles(folder.path(), ".", diagnostics, cancel)) {}
    const RawDeviceFiles& device() const { return files.devices.at(0); }
    QString problems() const { return QString::fromStdString(dumpDiagnostics(diagnostics)); }

    Diagnostics diagnostics;
    ProgressSlot progress;
    const CancelToken cancel;
    RawContext context{diagnostics, progress, cancel};
    RawFiles files;
};

std::string hbm(std::uint64_t time) { return RecordBytes<kRawHbm>().set<"time">(time).set<"count">(1).text(); }

std::string timesOf(Reading& reading) {
    std::string times;
    eachRawRecord(reading.device().series.at(0), kRawHbm.size, kNoRawMark, reading.context,
                  [&](const char* bytes, std::uint64_t) {
                      times += std::to_string(RawRecord<kRawHbm>(bytes).get<"time">()) + ' ';
                  });
    return times;
}

/// A clock of which a count is a ns.
RawSettings settingsOfNs() {
    RawSettings settings;
    settings.deviceHertz = 1'000'000'000;
    settings.deviceCount = 0;
    settings.wallBegin = 1'000'000;
    settings.hasClock = true;
    return settings;
}

/// As FORMAT.md has the rule: from each flip back, as long as numbers are smaller.
std::vector<std::uint16_t> roundsOneByOne(const std::vector<RawTrack>& tracks, const std::vector<RawTrack>& flips) {
    std::vector<std::uint16_t> rounds;
    std::uint16_t round = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        for (; next < flips.size() && tracks[i].time > flips[next].time; ++next) {
            ++round;
            for (std::size_t k = i; flips[next].batch != 0xffff && k > 0 && tracks[k - 1].task < flips[next].task; --k)
                rounds[k - 1] = round;
        }
        rounds.push_back(round);
    }
    return rounds;
}

}  // namespace

/// Raw data of which parts are missing or are none.
class TestRawDamage : public QObject {
    Q_OBJECT
private slots:
    /// The vendor rounds the clock's offset and the monotonic time each for itself, and their sum once more.
    void timesOfSamplesAreSumsOfTwoReals() {
        RawSettings settings;
        settings.wallBegin = 1'767'225'600'000'000'000;
        settings.monotonicBegin = settings.hostMonotonic = 1'000'000'123'456;
        const std::pair<std::uint64_t, std::int64_t> kTimes[] = {
            {0, 0}, {200, 200'192}, {400, 400'128}, {600, 600'064}, {1000, 999'936}};
        for (const auto& [microseconds, ns] : kTimes)
            QCOMPARE(settings.wallOfSample(microseconds).value_or(-1), settings.wallBegin + ns);
    }

    /// Stamps are ns only if the settings say so; a file that is not there says nothing.
    void hostsFrequencyIsUnknown() {
        const auto hasClock = [](const std::string& info) {
            const TestFolder folder;
            if (!info.empty()) folder.write("host/info.json", info);
            folder.write("host/start_info", R"({"collectionTimeBegin": "1767225600000000", "clockMonotonicRaw": "5"})");
            Diagnostics diagnostics;
            const RawSettings settings = readRawSettings(folder.path() / "host", "host", {}, diagnostics);
            return std::string(settings.hasClock ? "ns " : "no clock ") + dumpDiagnostics(diagnostics);
        };
        const std::string none = "no clock lost raw.no_clock host x1\n";
        QCOMPARE(hasClock(R"({"CPU": [{"Id": 0, "Frequency": ""}]})"), std::string("ns "));
        QCOMPARE(hasClock(R"({"CPU": [{"Frequency": "1000.0", "Id": 0}]})"), std::string("ns "));
        QCOMPARE(hasClock({}), none);
        QCOMPARE(hasClock("{}"), none);
        QCOMPARE(hasClock(R"({"CPU": []})"), none);
        QCOMPARE(hasClock(R"({"CPU": [{"Id": 0}]})"), none);
        QCOMPARE(hasClock(R"({"CPU": [{"Frequency": "NA"}]})"), none);
        // The scan names broken files.
        QCOMPARE(hasClock("{"), none);
    }

    /// Under a sanitizer: no conversion and no sum of numbers that a file may state leaves 64 bits.
    void clocksBeyondAllTimesAreNone() {
        const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max()),
                          least = std::to_string(std::numeric_limits<std::int64_t>::min());
        const std::vector<std::string> numbers{
            most, least, "9000000000000000000", "-9000000000000000000", "2305843009213693951", "-2305843009213693951"};
        const auto read = [](const std::string& monotonic, const std::string& count, const std::string& difference) {
            const TestFolder folder;
            folder.write("d/info.json.0",
                         R"({"CPU": [{"Frequency": "100"}], "DeviceInfo": [{"hwts_frequency": "50"}]})");
            folder.write("d/start_info.0", R"({"collectionTimeBegin": "1767225600000000", "clockMonotonicRaw": "5"})");
            folder.write("d/host_start.log.0", "[Host]\nclock_monotonic_raw: " + monotonic + "\ncntvct: " + count +
                                                   "\ncntvct_diff: " + difference + "\n");
            folder.write("d/dev_start.log.0", "clock_monotonic_raw: " + monotonic + "\ncntvct: " + count + "\n");
            Diagnostics diagnostics;
            const RawSettings settings = readRawSettings(folder.path() / "d", "d", ".0", diagnostics);
            const std::int64_t start = settings.deviceStart();
            bool isSane = start >= -kMaxRawWallNs && start <= kMaxRawWallNs;
            for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
                settings.deviceReal(at);
                settings.hasExactReals(at);
                for (const auto& wall :
                     {settings.deviceClock().wall(at), settings.hostClock().wall(at), settings.wallOfSample(at),
                      settings.wallOfDevice(static_cast<std::int64_t>(at))})
                    isSane = isSane && (!wall || (*wall > 0 && *wall < kMaxRawWallNs));
            }
            return std::pair(isSane, settings.hasClock);
        };
        QVERIFY(read("1000", "50", "7") == std::pair(true, true));
        for (const std::string& number : numbers) {
            QVERIFY(read(number, "50", "0").first && read("1000", number, "0").first);
            QVERIFY(read(number, number, number).first);
            // So many counts are 728 years and more.
            QVERIFY(read("1000", "50", number) == std::pair(true, false));
        }
    }

    void slicesThatTheirDoneFilesMiss() {
        const auto problems = [](const std::vector<std::pair<std::string, std::string>>& files) {
            const TestFolder folder;
            for (const auto& [name, text] : files) folder.write(std::string(kHbm) + name, text);
            return Reading(folder).problems();
        };
        const QString name = QString::fromStdString(std::string(kHbm));
        QCOMPARE(problems({{"0", hbm(1)}, {"0.done", "filesize:24\n"}}), QString());
        QCOMPARE(problems({{"0", hbm(1)}, {"0.done", "nothing"}}), QString());
        QCOMPARE(problems({{"0", hbm(1)}, {"0.done", "filesize:48\n"}}),
                 QStringLiteral("lost raw.cut %1 x1 byte 24\n").arg(name + u'0'));
        QCOMPARE(problems({{"0.done", "filesize:48\n"}}),
                 QStringLiteral("lost raw.slice_missing %1 x1\n").arg(name + u'0'));
        QCOMPARE(problems({{"0.done", "filesize:0\n"}}), QString());
        QCOMPARE(problems({{"0", hbm(1)}, {"0.done", "filesize:24\n"}, {"1.done", "filesize:48\n"}}),
                 QStringLiteral("lost raw.slice_missing %1 x1\n").arg(name + u'1'));
        // One of the two that are missing has been named.
        QCOMPARE(problems({{"0", hbm(1)}, {"1.done", "filesize:48"}, {"3", hbm(4)}}),
                 QStringLiteral("lost raw.slice_missing %1 x1\nlost raw.slice_missing %2 x1\n")
                     .arg(name + u'1', name + u'3'));
    }

    /// Records without a mark: the rest of a torn slice is no begin of what the next slice goes on with.
    void aTornSliceIsNotGluedToTheNextOne() {
        std::string whole;
        for (std::uint64_t time = 1; time <= 6; ++time) whole += hbm(time);
        const auto read = [&](std::size_t left, std::size_t cut, int next) {
            const TestFolder folder;
            folder.write(std::string(kHbm) + "0", whole.substr(0, left));
            folder.write(std::string(kHbm) + "0.done", "filesize:" + std::to_string(cut));
            folder.write(std::string(kHbm) + std::to_string(next), whole.substr(cut));
            folder.write(std::string(kHbm) + std::to_string(next) + ".done",
                         "filesize:" + std::to_string(whole.size() - cut));
            Reading reading(folder);
            return timesOf(reading);
        };
        QCOMPARE(read(60, 60, 1), std::string("1 2 3 4 5 6 "));
        QCOMPARE(read(50, 60, 1), std::string("1 2 4 5 6 "));
        QCOMPARE(read(48, 60, 1), std::string("1 2 4 5 6 "));
        QCOMPARE(read(50, 72, 1), std::string("1 2 4 5 6 "));
        QCOMPARE(read(60, 60, 2).substr(0, 4), std::string("1 2 "));
        QCOMPARE(read(60, 72, 2), std::string("1 2 4 5 6 "));
    }

    void recordsThatAreNone() {
        const TestFolder folder;
        const std::string zeros(1000, '\0');
        folder.write("device_0/data/ts_track.data.0.slice_0", zeros.substr(0, 2 * kRawTsTrack.size));
        folder.write("device_0/data/ffts_profile.data.0.slice_0",
                     RecordBytes<kRawFftsProfile>().set<"function">(0x28).text() +
                         RecordBytes<kRawFftsProfile>().set<"function">(0x27).text());
        folder.write(std::string(kHbm) + "0", zeros.substr(0, kRawHbm.size) + hbm(std::uint64_t{1} << 60) + hbm(1));
        Reading reading(folder);
        const RawSettings settings = settingsOfNs();
        readRawDevice(reading.device(), false, reading.context);
        readRawMetrics(reading.device(), settings, {}, {}, {}, false, reading.context);
        readRawBandwidths(reading.device(), settings, reading.context);
        QCOMPARE(reading.problems(),
                 QStringLiteral("info raw.outside device_0/data x1\n"
                                "lost raw.bad_record device_0/data/ffts_profile.data.0.slice_0 x1 byte 128\n"
                                "lost raw.bad_record device_0/data/hbm.data.0.slice_0 x2 byte 0, byte 24\n"
                                "lost raw.bad_record device_0/data/ts_track.data.0.slice_0 x2 byte 0, byte 40\n"));
    }

    /// Its frequency is none of the begin, nor of any other time.
    void aChangeOfFrequencyAtAnImpossibleTime() {
        std::string record(kRawFrequency.size, '\0');
        const auto put = [&record](std::size_t at, std::uint64_t value) {
            std::memcpy(record.data() + at, &value, sizeof value);
        };
        put(0, 2);
        put(8, std::uint64_t{1} << 63);
        put(16, 7);
        put(24, 100);
        put(32, 1500);
        const TestFolder folder;
        folder.write("device_0/data/lpmFreqConv.data.0.slice_0", record);
        Reading reading(folder);
        RawSettings settings = settingsOfNs();
        settings.coreHertz = 1'800'000'000;
        std::string text;
        for (const RawFrequency& one : readRawFrequencies(reading.device(), settings, reading.context))
            text += std::to_string(one.time) + ' ' + std::to_string(one.hertz) + '\n';
        QCOMPARE(text, std::string("0 1800000000\n100 1500000000\n"));
        QCOMPARE(reading.problems(), QStringLiteral("lost raw.bad_time device_0/data x1\n"));
    }

    /// Any mix of tasks and flips, also many at one time: as if each flip looked back on its own.
    void roundsOfManyFlips() {
        std::mt19937 random(5);
        for (int turn = 0; turn < 300; ++turn) {
            std::vector<RawTrack> all, tasks, flips;
            const auto times = 1 + random() % 30;
            for (unsigned i = 0; i < 60; ++i) {
                RawTrack track{};
                track.time = random() % times;
                track.task = static_cast<std::uint16_t>(random() % 12);
                if (random() % 3 == 0) track.type = 98;
                if (track.type == 98 && random() % 5 == 0) track.batch = 0xffff;
                all.push_back(track);
            }
            std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
            for (const RawTrack& one : all) (one.type == 98 ? flips : tasks).push_back(one);
            const std::vector<std::uint16_t> wanted = roundsOneByOne(tasks, flips);
            numberRawTracks(all, {});
            std::vector<std::uint16_t> found;
            for (const RawTrack& one : all) found.push_back(one.batch);
            QCOMPARE(found, wanted);
        }
    }
};

ALTI_TEST(TestRawDamage)
#include "tst_raw_damage.moc"
