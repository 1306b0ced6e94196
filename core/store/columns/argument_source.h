#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/ids.h"
#include "core/base/values/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

struct TaskRecords;
enum class TaskDetail : std::uint8_t;

/// Reads the arguments of records back from the source, where they stay because they are long and rarely looked at.
/// Implemented by the readers. Thread-safe.
class ArgumentSource {
public:
    /// Number of the position in the given list, and its arguments as arguments() gives them.
    using Take = std::function<void(std::size_t, const Result<std::string_view>&)>;

    virtual ~ArgumentSource() = default;

    /// The `args` object of the record at `pos`, as JSON text exactly as in the source; empty if it has none.
    /// @return Error "args.source_changed" if the source no longer holds that record there, or as ReadOnlyFile::read.
    virtual Result<std::string> arguments(SourcePos pos) const = 0;

    /// Reads what arguments() needs beside the record itself, where that takes long: the first call of arguments() of
    /// raw data reads all of it. Most sources need nothing. If cancelled, arguments() does it.
    virtual void prepare(SourcePos pos, const CancelToken& cancel) const {
        static_cast<void>(pos), static_cast<void>(cancel);
    }

    /// The arguments of many records, each once, in any order; the text holds until `take` returns. Neighbours in the
    /// source are read together, so this is the way for more than a few.
    virtual void each(std::span<const SourcePos> positions, const Take& take) const {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const auto text = arguments(positions[i]);
            take(i, text.ok() ? Result<std::string_view>(text.value()) : text.as<std::string_view>());
        }
    }

    /// Places of the source where a text stands, byte for byte, or with A-Z and a-z alike: in arguments, names or
    /// anywhere else. At least the first one in each record; ascending. Reads the whole source, on all workers of the
    /// current arena.
    /// @param text  Not empty.
    /// @return Error "args.source_changed", as ReadOnlyFile::read, or "args.not_searchable".
    virtual Result<std::vector<SourcePos>> find(std::string_view text, bool ignoreCase,
                                                const CancelToken& cancel) const {
        static_cast<void>(text), static_cast<void>(ignoreCase), static_cast<void>(cancel);
        return Error{"args.not_searchable", {}, {}, {}};
    }

    /// Facts of the source about the tasks of devices beside their slices and rows; null where it says no more. Reads
    /// the source again.
    /// @return Error "args.source_changed", or as ReadOnlyFile::read.
    virtual Result<std::shared_ptr<const TaskRecords>> tasks(TaskDetail detail, const CancelToken& cancel) const {
        static_cast<void>(detail), static_cast<void>(cancel);
        return std::shared_ptr<const TaskRecords>();
    }
};

}  // namespace altiscope
