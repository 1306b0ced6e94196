#pragma once

#include <string>

namespace altiscope {

/// All tables with type, unit and meaning of each column, for people.
std::string schemaText();

/// The same as one JSON array: [{"table":T,"meaning":M,"columns":[{"name":N,"type":Y,"unit":U,"meaning":M}]}].
std::string schemaJson();

}  // namespace altiscope
