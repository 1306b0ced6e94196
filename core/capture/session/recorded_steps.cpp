#include "core/capture/session/recorded_steps.h"

#include "core/base/values/parse.h"
#include "core/capture/methods/method.h"

namespace altiscope::capture {

namespace {

constexpr std::string_view kIteration = "iteration";
/// No job has so many; beyond it is no number of a step.
constexpr std::int64_t kMaxStep = 1'000'000'000'000;

Error sentenceOf(const char* code, std::int64_t step, std::int64_t begin, std::int64_t left) {
    return Error{code,
                 {},
                 {},
                 {{"step", std::to_string(step)}, {"begin", std::to_string(begin)}, {"left", std::to_string(left)}}};
}

bool isStep(const std::optional<std::int64_t>& number) { return number && *number >= 0 && *number <= kMaxStep; }

}  // namespace

std::optional<RecordedSteps> recordedSteps(const Settings& settings) {
    const StepFields& fields = settings.method().steps;
    if (settings.method().trigger == Trigger::Edit && !fields.end.empty()) {
        const std::string_view start = fields.first.empty() ? settings.method().startField : fields.first;
        const auto begin = settings.integer(start), last = settings.integer(fields.end);
        if (start.empty() || !isStep(begin) || !isStep(last)) return std::nullopt;
        const std::int64_t warmup = settings.find("warmup") != nullptr ? settings.integer("warmup").value_or(0) : 0;
        const std::int64_t end = fields.first.empty() ? *begin + warmup + *last : *last + fields.more;
        if (end <= *begin) return std::nullopt;
        return RecordedSteps{*begin, end, PrintedSteps::SameCount};
    }
    if (fields.printed == PrintedSteps::None || settings.variant() != "megatron") return std::nullopt;
    const auto first = settings.integer(fields.first), end = settings.integer(fields.end);
    if (!isStep(first) || !isStep(end) || *end <= *first) return std::nullopt;
    return RecordedSteps{*first, *end, fields.printed};
}

std::optional<Error> stepSentence(std::string_view printed, const RecordedSteps& steps) {
    if (!printed.starts_with(kIteration)) return std::nullopt;
    const std::string_view number = trimmed(printed.substr(kIteration.size(), printed.find('/') - kIteration.size()));
    const auto done = wholeNumber(number);
    if (printed.find('/') == std::string_view::npos || !isStep(done)) return std::nullopt;
    if (steps.printed != PrintedSteps::SameCount) return sentenceOf("capture.steps.apart", *done, steps.first, 0);
    if (*done + 1 < steps.first) return sentenceOf("capture.steps.until", *done, steps.first, steps.first - 1 - *done);
    if (*done + 1 < steps.end) return sentenceOf("capture.steps.recording", *done, steps.first, steps.end - 1 - *done);
    return std::nullopt;
}

std::optional<Error> stepSentence(const DaemonStatus& status) {
    const auto step = wholeNumber(status.step), start = wholeNumber(status.start), stop = wholeNumber(status.stop);
    if (!isStep(step)) return std::nullopt;
    if (status.trace == "Ready" && isStep(start) && *start >= *step)
        return sentenceOf("capture.steps.until", *step, *start, *start - *step);
    if (status.trace == "Running" && isStep(stop) && *stop >= *step)
        return sentenceOf("capture.steps.recording", *step, start.value_or(*step), *stop - *step);
    return std::nullopt;
}

}  // namespace altiscope::capture
