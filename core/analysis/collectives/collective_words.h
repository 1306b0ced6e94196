#pragma once

#include <string>
#include <string_view>

namespace altiscope {

/// The type by which the profiler sorts operators in its matrix: "allreduce" of "hcom_allReduce__586_0_1", "reduce" of
/// "hcom_reduceScatter__1_0"; of an unknown operator the text before "__". In lower case.
/// Source: core/import/communication/FORMAT.md section 3.
std::string collectiveType(std::string_view opName);

/// "__586" of "hcom_allReduce__586_0_1", digits that end the hash of the group: what there is where no file tells the
/// groups. Empty if the name has none.
std::string_view groupDigits(std::string_view opName);

}  // namespace altiscope
