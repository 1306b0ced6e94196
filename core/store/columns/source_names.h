#pragma once

#include "core/base/values/ids.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace altiscope {

/// Names in diagnostics of the files that a rank was read from.
class SourceNames {
public:
    SourceNames(const char* whole) : m_whole(whole) {}
    /// @param whole  Stands for all files together. @param files  By number, if there are several.
    explicit SourceNames(std::string whole, std::map<std::uint32_t, std::string> files = {})
        : m_whole(std::move(whole)), m_files(std::move(files)) {}

    const std::string& whole() const { return m_whole; }
    const std::string& of(SourcePos pos) const {
        const auto file = m_files.find(pos.file());
        return file == m_files.end() ? m_whole : file->second;
    }

private:
    std::string m_whole;
    std::map<std::uint32_t, std::string> m_files;
};

}  // namespace altiscope
