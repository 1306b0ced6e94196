#pragma once

#include "core/base/columns/string_pool.h"
#include "core/base/values/ids.h"
#include "core/store/columns/call_stacks.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// Name of the start and end points of one flow within a category. Ids of sources are texts or numbers of any length: a
/// decimal number below 2^126 is kept exactly, everything else as a 127-bit hash of the text (top bit set).
/// "7" and 7 are the same id.
struct FlowKey {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    auto operator<=>(const FlowKey&) const = default;
};
FlowKey makeFlowKey(std::string_view idText);

/// Which end of a flow a point is.
enum class FlowPoint : std::uint8_t { Start, Finish };

/// Track numbers while reading: handed out by TraceBuilder in the order in which workers meet the tracks.
using ProvisionalTrack = std::uint32_t;
/// Text numbers while reading, see SharedStringPool.
using ProvisionalText = std::uint32_t;

/// Events of one part of a source, as columns in file order: written by one worker, constant once committed to the
/// builder. Plain columns on purpose: readers of gigabytes write them directly.
struct Segment {
    struct Slices {
        std::vector<ProvisionalTrack> track;
        std::vector<std::int64_t> begin;     // ns
        std::vector<std::int64_t> duration;  // ns, >= 0
        std::vector<ProvisionalText> name;
        std::vector<ProvisionalText> category;
        std::vector<SourcePos> pos;
        std::size_t size() const { return begin.size(); }
        void add(ProvisionalTrack t, std::int64_t b, std::int64_t d, ProvisionalText n, ProvisionalText c,
                 SourcePos p) {
            track.push_back(t);
            begin.push_back(b);
            duration.push_back(d);
            name.push_back(n);
            category.push_back(c);
            pos.push_back(p);
        }
    };
    /// One end of a B/E pair; pairs are made at the seal, because they may lie in different segments.
    struct OpenEnd {
        ProvisionalTrack track;
        bool isBegin;
        std::int64_t time;
        ProvisionalText name;
        ProvisionalText category;
        SourcePos pos;
        bool mayOverlap = false;  ///< A slice that begins after another one may end after it.
    };
    struct Instant {
        ProvisionalTrack track;
        std::int64_t time;
        ProvisionalText name;
        SourcePos pos;
    };
    struct Sample {
        ProvisionalTrack track;
        ProvisionalText series;
        std::int64_t time;
        double value;
        SourcePos pos;
    };
    /// Name of the colour that the source asks for a slice. Few traces have any, so by the slice's position.
    struct Colour {
        SourcePos pos;
        ProvisionalText name;
    };
    /// A slice that was recorded with what called it: an operator of the framework and its call stack.
    struct StackedOperator {
        ProvisionalTrack track;
        ProvisionalStack stack;
        std::int64_t begin, duration;  // of the slice, ns
        SourcePos pos;                 // of the slice
    };
    struct Flow {
        ProvisionalTrack track;
        FlowPoint point;
        ProvisionalText category;
        std::int64_t time;
        FlowKey key;
        SourcePos pos;
    };

    Slices slices;
    std::vector<OpenEnd> openEnds;
    std::vector<Instant> instants;
    std::vector<Sample> samples;
    std::vector<Flow> flows;
    std::vector<Colour> colours;
    std::vector<StackedOperator> stackedOperators;
};

}  // namespace altiscope
