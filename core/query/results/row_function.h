#pragma once

#include "core/query/results/row_sink.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace altiscope {

/// Hands each row of a query to a function, which returns false to stop the query.
class RowFunction : public RowSink {
public:
    using Function = std::function<bool(std::span<const Value>)>;

    explicit RowFunction(Function function) : m_function(std::move(function)) {}

    bool begin(std::span<const std::string>) override { return true; }
    bool row(std::span<const Value> values) override { return m_function(values); }

private:
    Function m_function;
};

using OptionalNumber = std::optional<std::int64_t>;

/// nullopt of anything else.
inline OptionalNumber integerOf(const Value& value) {
    return value.type == ValueType::Integer ? std::optional(value.integer) : std::nullopt;
}

}  // namespace altiscope
