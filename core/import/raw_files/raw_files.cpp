#include "core/import/raw_files/raw_files.h"

#include "core/base/files/file.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSliceWord = ".slice_";
constexpr std::string_view kDonePart = ".done";
/// Greater numbers of slices are none: a collector that makes one a millisecond needs months for as many.
constexpr std::int64_t kMaxRawSlice = std::int64_t{1} << 32;

/// The number after the last dot, which is taken away with it; -1 if there is none.
std::int64_t takeNumber(std::string_view& text) {
    const auto dot = text.rfind('.');
    if (dot == std::string_view::npos) return -1;
    const auto number = wholeNumber(text.substr(dot + 1));
    if (!number || *number < 0) return -1;
    text = text.substr(0, dot);
    return *number;
}

/// The size that a ".done" states, "filesize:1536"; 0 if it states none.
std::uint64_t sizeInDone(const fs::path& path) {
    static constexpr std::string_view kSize = "filesize:";
    static constexpr std::uint64_t kMaxDone = 4096;
    const auto text = readSmallFile(path, kMaxDone);
    if (!text.ok() || !text.value().starts_with(kSize)) return 0;
    std::string_view number = std::string_view(text.value()).substr(kSize.size());
    number = number.substr(0, number.find_first_of(" \t\r\n"));
    return wholeNumber<std::uint64_t>(number).value_or(0);
}

/// Numbers of slices of which only a ".done" is left.
using LostSlices = std::set<std::int64_t>;

/// Reports gaps in the numbers of slices, cut and empty ones and such as may still grow.
void reportSlices(RawFileSeries& series, const LostSlices& lost, Diagnostics& diagnostics) {
    const bool anyDone =
        std::any_of(series.slices.begin(), series.slices.end(), [](const RawSlice& slice) { return slice.isDone; });
    // Only some by name: there may be as many as files.
    static constexpr std::size_t kNamed = 100;
    std::size_t named = 0;
    const auto nameOf = [&](const RawSlice& slice) {
        const std::size_t end = ++named <= kNamed ? std::string::npos : slice.name.rfind('/');
        return slice.name.substr(0, end);
    };
    for (std::size_t i = 0; i < series.slices.size(); ++i) {
        RawSlice& slice = series.slices[i];
        const std::int64_t before = i == 0 ? -1 : series.slices[i - 1].number;
        slice.isAfterGap = i > 0 && slice.number > before + 1;
        // A ring loses its oldest slices.
        if (slice.number > before + 1 && !(i == 0 && series.isAging)) {
            // Those with a ".done" have been named.
            const auto known = std::distance(lost.upper_bound(before), lost.lower_bound(slice.number));
            const std::int64_t missing = slice.number - before - 1 - known;
            if (missing > 0)
                diagnostics.add("raw.slice_missing", Severity::Lost, nameOf(slice), {},
                                {{"count", std::to_string(missing)}}, static_cast<std::uint64_t>(missing));
        }
        if (slice.isShort()) diagnostics.add("raw.cut", Severity::Lost, nameOf(slice), {PlaceUnit::Byte, slice.size});
        else if (slice.isLong())
            diagnostics.add("raw.longer", Severity::Repaired, nameOf(slice), {PlaceUnit::Byte, slice.doneSize});
        else if (slice.size == 0) diagnostics.add("raw.slice_empty", Severity::Info, nameOf(slice), {});
        else if (anyDone && !slice.isDone) diagnostics.add("raw.unfinished", Severity::Info, nameOf(slice), {});
    }
}

/// The raw files of a folder, by stem.
std::vector<RawFileSeries> seriesIn(const fs::path& folder, const std::string& name, Diagnostics& diagnostics,
                                    const CancelToken& cancel) {
    std::map<std::pair<std::string, bool>, RawFileSeries> found;
    std::map<std::string, fs::path> done;  // by name of the slice
    std::error_code error;
    std::size_t looks = 0;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && !cancel.cancelled();
         at.increment(error)) {
        if (++looks > kMaxRawFiles) {
            diagnostics.add("raw.too_many_files", Severity::Lost, name, {}, {{"limit", std::to_string(kMaxRawFiles)}});
            break;
        }
        const std::string file = at->path().filename().string();
        std::error_code ignored;
        const fs::file_type type = at->symlink_status(ignored).type();
        if (type != fs::file_type::regular) {
            if (!rawFileName(file).stem.empty()) reportSpecialRaw(type, name + '/' + file, diagnostics);
            continue;
        }
        if (file.ends_with(kDonePart)) done.emplace(file.substr(0, file.size() - kDonePart.size()), at->path());
        const RawFileName parts = rawFileName(file);
        if (parts.stem.empty()) continue;
        const std::uintmax_t size = at->file_size(ignored);
        RawFileSeries& series = found[{std::string(parts.stem), parts.isAging}];
        series.stem = parts.stem;
        series.isAging = parts.isAging;
        series.slices.push_back({at->path(), name + '/' + file, ignored ? 0 : size, parts.slice, false, 0, false});
    }
    for (auto& [key, series] : found) {
        for (RawSlice& slice : series.slices) {
            const auto own = done.find(slice.path.filename().string());
            if (own == done.end()) continue;
            slice.isDone = true;
            slice.doneSize = sizeInDone(own->second);
            done.erase(own);
        }
    }
    std::map<std::pair<std::string, bool>, LostSlices> lost;
    for (const auto& [slice, path] : done) {
        const RawFileName parts = rawFileName(slice);
        if (parts.stem.empty() || cancel.cancelled() || sizeInDone(path) == 0) continue;
        diagnostics.add("raw.slice_missing", Severity::Lost, name + '/' + slice, {}, {{"count", "1"}});
        lost[{std::string(parts.stem), parts.isAging}].insert(parts.slice);
    }
    if (error && error != std::errc::no_such_file_or_directory)
        diagnostics.add("scan.denied", Severity::Lost, name, {}, {{"reason", error.message()}});
    std::vector<RawFileSeries> sorted;
    for (auto& [key, series] : found) {
        std::sort(series.slices.begin(), series.slices.end(), [](const RawSlice& a, const RawSlice& b) {
            return std::tie(a.number, a.name) < std::tie(b.number, b.name);
        });
        reportSlices(series, lost[key], diagnostics);
        sorted.push_back(std::move(series));
    }
    return sorted;
}

}  // namespace

void reportSpecialRaw(fs::file_type type, const std::string& name, Diagnostics& diagnostics) {
    if (type == fs::file_type::symlink) return diagnostics.add("raw.link_skipped", Severity::Lost, name, {});
    if (type == fs::file_type::directory) return diagnostics.add("scan.folder_for_file", Severity::Lost, name, {});
    if (const std::string_view kind = specialFileKind(type); !kind.empty())
        diagnostics.add("scan.special_file", Severity::Lost, name, {}, {{"kind", std::string(kind)}});
}

void reportNotRead(const std::set<std::string>& names, const std::string& folder, Diagnostics& diagnostics) {
    static constexpr std::size_t kMaxNames = 30;
    if (names.empty()) return;
    std::string what;
    std::size_t count = 0;
    for (const std::string& name : names) {
        if (++count > kMaxNames) {
            what += ", …";
            break;
        }
        what += (what.empty() ? "" : ", ") + name;
    }
    diagnostics.add("raw.not_read", Severity::Lost, folder, {}, {{"what", what}}, names.size());
}

RawFileName rawFileName(std::string_view name) {
    const auto slice = name.rfind(kSliceWord);
    if (slice == std::string_view::npos) return {};
    const auto number = wholeNumber(name.substr(slice + kSliceWord.size()));
    if (!number || *number < 0) return {};
    RawFileName parts;
    parts.slice = std::min(*number, kMaxRawSlice);
    name = name.substr(0, slice);
    parts.device = takeNumber(name);
    for (const auto& [word, isAging] :
         {std::pair{std::string_view("aging."), true}, {std::string_view("unaging."), false}}) {
        if (!name.starts_with(word)) continue;
        parts.isAging = isAging;
        name = name.substr(word.size());
    }
    parts.stem = name;
    return parts;
}

std::uint64_t RawFiles::bytes() const {
    std::uint64_t sum = 0;
    for (const RawSlice* slice : all()) sum += slice->size;
    return sum;
}

std::vector<const RawSlice*> RawFiles::all() const {
    std::vector<const RawSlice*> slices;
    const auto add = [&slices](const std::vector<RawFileSeries>& all) {
        for (const RawFileSeries& series : all) {
            for (const RawSlice& slice : series.slices) slices.push_back(&slice);
        }
    };
    add(host);
    for (const RawDeviceFiles& device : devices) add(device.series);
    return slices;
}

RawFiles listRawFiles(const fs::path& prof, const std::string& name, Diagnostics& diagnostics,
                      const CancelToken& cancel) {
    static constexpr std::string_view kDevice = "device_";
    RawFiles files;
    files.hostFolder = prof / "host";
    const std::string prefix = name == "." ? std::string() : name + '/';
    files.hostName = prefix + "host";
    files.host = seriesIn(files.hostFolder / "data", files.hostName + "/data", diagnostics, cancel);
    std::error_code error;
    for (fs::directory_iterator at(prof, error), end; !error && at != end && !cancel.cancelled(); at.increment(error)) {
        const std::string folder = at->path().filename().string();
        std::error_code ignored;
        if (!folder.starts_with(kDevice) || at->is_symlink(ignored) || !at->is_directory(ignored)) continue;
        const auto device = wholeNumber(std::string_view(folder).substr(kDevice.size()));
        if (!device || *device < 0 || *device > 0xfff) continue;
        files.devices.push_back({*device, at->path(), prefix + folder,
                                 seriesIn(at->path() / "data", prefix + folder + "/data", diagnostics, cancel)});
    }
    std::sort(files.devices.begin(), files.devices.end(),
              [](const RawDeviceFiles& a, const RawDeviceFiles& b) { return a.device < b.device; });
    return files;
}

}  // namespace altiscope::reader
