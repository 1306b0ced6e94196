#pragma once

#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// Named values that a text of the catalogue refers to as {name}.
using MessageParameters = std::vector<std::pair<std::string, std::string>>;

/// A failure that ends an operation: a stable code of the catalogue (see catalogue.h), where it happened, and the
/// values that its sentence needs. The sentence says what was found, what was expected and what to do.
struct Error {
    std::string code;
    std::string file;   ///< Path of the file or folder concerned; empty if there is none.
    std::string place;  ///< "byte 17", "row 3"; empty if the whole file is meant.
    MessageParameters parameters;
};

/// The user (or a newer request) asked to stop. Not an error.
struct Cancelled {};

}  // namespace altiscope
