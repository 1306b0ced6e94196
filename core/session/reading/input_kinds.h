#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Something that can be opened, or that is read where it lies in a capture.
struct InputKind {
    std::string_view code;   ///< Code of the catalogue's sentence that says what it is: "input.*".
    std::string_view names;  ///< Names of files or folders, as users see them.
};

/// Folders and files that can be opened, for the help. The sources are those of core/import/scan/FORMAT.md sections 1
/// to 3.
std::vector<InputKind> inputKinds();

/// Endings of the files among them, each once, sorted, without the dot: what a file dialog offers to open.
std::vector<std::string> inputEndings();

/// Summary files that fill a table of resources/help/reference/sql.md: made from the list by which they are read.
struct TableInput {
    std::string_view table;
    std::string names;  ///< "kernel_details*.csv, op_summary*.csv"
};
std::vector<TableInput> tableInputs();

}  // namespace altiscope
