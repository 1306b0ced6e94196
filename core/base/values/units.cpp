#include "core/base/values/units.h"

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

constexpr AmountUnit kAmountUnits[] = {
    {"ns", AmountUnit::Kind::Time, 1},
    {"us", AmountUnit::Kind::Time, 1'000},
    {"\u00b5s", AmountUnit::Kind::Time, 1'000},
    {"\u03bcs", AmountUnit::Kind::Time, 1'000},
    {"ms", AmountUnit::Kind::Time, 1'000'000},
    {"s", AmountUnit::Kind::Time, 1'000'000'000},
    {"min", AmountUnit::Kind::Time, 60'000'000'000},
    {"h", AmountUnit::Kind::Time, 3'600'000'000'000},
    {"B", AmountUnit::Kind::Bytes, 1},
    {"kB", AmountUnit::Kind::Bytes, 1'000},
    {"KB", AmountUnit::Kind::Bytes, 1'000},
    {"MB", AmountUnit::Kind::Bytes, 1'000'000},
    {"GB", AmountUnit::Kind::Bytes, 1'000'000'000},
    {"TB", AmountUnit::Kind::Bytes, 1'000'000'000'000},
    {"KiB", AmountUnit::Kind::Bytes, std::int64_t{1} << 10},
    {"MiB", AmountUnit::Kind::Bytes, std::int64_t{1} << 20},
    {"GiB", AmountUnit::Kind::Bytes, std::int64_t{1} << 30},
    {"TiB", AmountUnit::Kind::Bytes, std::int64_t{1} << 40},
};

}  // namespace

std::optional<AmountUnit> amountUnit(std::string_view name) {
    const auto* found = std::find_if(std::begin(kAmountUnits), std::end(kAmountUnits),
                                     [name](const AmountUnit& unit) { return unit.name == name; });
    return found == std::end(kAmountUnits) ? std::nullopt : std::optional(*found);
}

}  // namespace altiscope
