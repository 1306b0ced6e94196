#pragma once

#include "core/store/capture_store.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace altiscope::test {

/// Arguments of tasks whose names tell the model that they are of: "m7" is one of model 7, all others are of none.
class ModelArguments : public ArgumentSource {
public:
    explicit ModelArguments(std::shared_ptr<const TraceStore> trace) : m_trace(std::move(trace)) {}
    Result<std::string> arguments(SourcePos pos) const override {
        ++reads;
        for (std::uint32_t slice = 0; slice < m_trace->sliceCount(); ++slice) {
            if (m_trace->pos({slice}) != pos) continue;
            const std::string name(m_trace->name({slice}));
            return "{\"Task Type\": \"KERNEL_AICORE\", \"Model Id\": " +
                   (name.starts_with('m') ? name.substr(1) : "4294967295") + "}";
        }
        return Error{"args.source_changed", {}, {}, {}};
    }
    mutable std::size_t reads = 0;

private:
    std::shared_ptr<const TraceStore> m_trace;
};

}  // namespace altiscope::test
