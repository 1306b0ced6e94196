#pragma once

#include "core/base/text/text_buffer.h"
#include "core/report/deliverables/deliverable_file.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <string_view>

namespace altiscope {

/// Events of a timeline as the vendors' programs write them. Source: core/report/deliverables/FORMAT.md section 5.
class EventText {
public:
    EventText(TextBuffer& out, Dialect dialect);

    struct Thread {
        std::string_view process, thread;  ///< Numbers.
    };

    // As msprof orders the keys: name first.
    void metadata(std::string_view name, Thread thread, std::string_view key, std::string_view value, bool isNumber);
    /// @param arguments  JSON without spaces.
    void slice(std::string_view name, Thread thread, TimeNs begin, DurationNs duration, std::string_view arguments);
    /// @param microseconds  The duration.
    void slice(std::string_view name, Thread thread, TimeNs begin, std::string_view microseconds,
               std::string_view arguments);
    struct Span {
        TimeNs begin;
        DurationNs duration;
    };
    /// The same with a category.
    void slice(std::string_view name, Thread thread, Span span, std::string_view category, std::string_view arguments);
    /// The arrow from the end of an iteration's passes to the forward pass of the next one: its begin, named by the
    /// iteration and with the time between, or its end. @param arguments  JSON.
    void dataWait(bool isStart, std::string_view iteration, Thread thread, TimeNs time, std::string_view arguments);
    void launch(bool isStart, std::string_view id, Thread thread, TimeNs time);
    /// The flow from a mark to those of streams.
    void mark(bool isStart, std::int64_t id, Thread thread, TimeNs time);
    /// A sample of a counter: then its values, by series, then its end.
    void sample(std::string_view name, Thread of, TimeNs time);
    void sampleValue(std::string_view series, std::string_view value);
    void endSample() { m_out.add("}}"); }

    // As torch_npu does: ph first.
    void torchMetadata(std::string_view name, Thread thread, std::string_view key, std::string_view value,
                       bool isNumber);
    void torchSlice(std::string_view name, Thread thread, Span span, std::string_view category,
                    std::string_view arguments);
    struct Arrow {
        std::string_view name;
        std::int64_t id = 0;
        std::string_view category;
    };
    void torchFlow(bool isStart, const Arrow& arrow, Thread thread, TimeNs time);

    /// Writes the separator of events, if one was written before: one that is made elsewhere follows.
    void separate();

private:
    /// Separators of values, with the spaces of a dialect.
    struct Separators;
    static const Separators kSpaced, kDense;

    void begin(std::string_view words);
    void beginSlice(std::string_view name, Thread thread, TimeNs begin);
    struct FlowWords {
        std::string_view prefix, category;  ///< The name is the prefix and the id.
    };
    void flow(bool isStart, FlowWords words, std::string_view id, Thread thread, TimeNs time);
    void thread(Thread thread);
    void time(TimeNs time);
    void member(std::string_view key, std::string_view value, bool isNumber);
    void arguments(std::string_view json);

    TextBuffer& m_out;
    const bool m_isSpaced;
    const Separators& m_words;
    bool m_isFirstEvent = true, m_isFirstValue = true;
};

}  // namespace altiscope
