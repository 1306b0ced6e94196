#pragma once

#include "core/analysis/slices/slice_chain.h"
#include "core/analysis/slices/slice_details.h"
#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "views/timeline/panels/kernel_facts.h"

#include <QString>

#include <memory>
#include <vector>

namespace altiscope {

/// Where the slices of a rank are drawn, while its clock is aligned.
struct ShownAt {
    DurationNs by;   ///< Drawn time = recorded time + this.
    TimeNs origin;   ///< Where times of the axis count from, on the clock of the capture.
    QString reason;  ///< "by hand"
};

/// A slice's details with everything around them that people want to see: made on a worker, shown by the details panel
/// and copied as text.
struct SliceFacts {
    static constexpr std::size_t kMaxEffects = 50;

    struct Link {
        std::string category;
        bool outgoing = true;
        std::string name, track;  ///< Empty if the other end lies in no slice.
        TimeNs time;              ///< When the far end is; on the trace's clock.
        DurationNs duration;
        std::optional<SliceKey> key;
    };

    CaptureId capture;
    SliceKey key;
    SliceDetails details;
    std::optional<ShownAt> shown{};  ///< While it is drawn elsewhere than it was recorded.
    TimeNs origin;                   ///< Where relative times count from, on the trace's clock; see originOf().
    bool provisional = false;        ///< The trace is not read to its end: arguments and links may follow.
    Place place;                     ///< Where the record stands in its file.
    std::string capturePath;
    RankInfo rank;
    Track track;
    std::string parentName;  ///< Empty if there is none.
    std::optional<SliceKey> parent;
    std::optional<SliceKernel> kernel{};  ///< Row of the profiler's table of kernels about it.
    struct Collective {
        std::string name;
        SliceKey key;
    };
    std::optional<Collective> collective{};  ///< The collective that it is a task of.
    std::vector<Link> links;
    struct Step {
        ChainRole role = ChainRole::Other;
        std::string name, track;
        TimeNs begin;  ///< On the trace's clock.
        DurationNs duration;
        SliceKey key;
    };
    /// Causes, nearest first; effects, by time: the first kMaxEffects.
    std::vector<Step> causes, effects;
    std::size_t effectsExcluded = 0;  ///< How many more followed.
    /// Indexes in `links` that stand in neither list.
    std::vector<std::size_t> otherLinks;
};

/// Reads the source, so call it on a worker. nullopt if the slice is not in the capture (yet); incomplete if cancelled.
/// @param id      OpenCapture::id
/// @param origin  For SliceFacts::origin.
std::optional<SliceFacts> readSliceFacts(const CaptureStore& capture, CaptureId id, SliceKey key, TimeNs origin,
                                         const CancelToken& cancel = {});

/// One thing to say about a slice: what it is, and its value.
struct FactLine {
    QString title, value;
    std::optional<SliceKey> link;  ///< A slice that the value names.
};

/// Category, track, times, depth, parent, place: everything but name, arguments, stack and links. In the present
/// language.
std::vector<FactLine> factLines(const SliceFacts& facts);
/// Title of the slice: by its name, and the collective that it is a task of.
QString sliceTitle(const SliceFacts& facts);
/// Sentence on what could not be read; empty if all is well.
QString problemText(const SliceFacts& facts);
/// All of it as plain text for the clipboard.
QString plainText(const SliceFacts& facts);
/// All of it as a JSON object for the clipboard: exact ns, with the words of the SQL tables, and the arguments as in
/// the source.
QString jsonText(const SliceFacts& facts);

}  // namespace altiscope
