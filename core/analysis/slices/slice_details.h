#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/capture_store.h"

#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// One slice of a capture: which rank and which slice of its store.
struct SliceRef {
    RankIndex rank{};
    SliceIndex slice = kNoSlice;
    bool operator==(const SliceRef&) const = default;
};

/// The same by id: survives the change from a provisional to the sealed store.
struct SliceKey {
    RankIndex rank{};
    SliceId id;
    bool operator==(const SliceKey&) const = default;
};

/// One argument: `text` is what people read (a string without quotes, other JSON compact); `json` as in the source.
struct Argument {
    std::string key;
    std::string text;
    std::string json;
};

/// A slice at the other end of a flow.
struct LinkedSlice {
    std::string category;
    bool outgoing = true;         ///< The described slice is the start of the flow.
    SliceIndex slice = kNoSlice;  ///< Same rank; kNoSlice if that end lies in no slice.
    TimeNs time;                  ///< Of the far end of the flow.
};

/// Everything that the details panel shows of one slice.
struct SliceDetails {
    SliceRef ref;
    std::string name, category;
    TrackIndex track;
    TimeNs begin;
    DurationNs duration, selfDuration;
    std::uint32_t depth = 0;
    SliceIndex parent = kNoSlice;
    std::vector<Argument> arguments;     ///< In the source's order, without the call stack.
    std::vector<std::string> callStack;  ///< Innermost first; from the argument "Call stack".
    std::vector<LinkedSlice> links;
    std::string argumentsProblem;  ///< Code of the error if the source could not be read; empty if all is well.
};

/// Reads the source for the arguments, so call it on a worker. After a cancel it has none.
/// @pre ref.rank and ref.slice lie in the capture and the rank has a trace.
SliceDetails describeSlice(const CaptureStore& capture, SliceRef ref, const CancelToken& cancel = {});

/// The slice of a key in the capture's present stores; nullopt if it is not there (yet).
std::optional<SliceRef> findSlice(const CaptureStore& capture, SliceKey key);
/// The key of a slice. @pre as describeSlice.
SliceKey keyOf(const CaptureStore& capture, SliceRef ref);

/// Splits a JSON object's text into its members; an empty list if it is no object.
std::vector<Argument> splitArguments(const std::string& json);

}  // namespace altiscope
