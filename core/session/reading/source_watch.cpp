#include "core/session/reading/source_watch.h"

namespace altiscope {

std::vector<FileStamp> stampsWhenRead(const CaptureStore& capture) {
    std::vector<FileStamp> all;
    for (const RankEntry& rank : capture.ranks) {
        if (rank.sources != nullptr) all.insert(all.end(), rank.sources->begin(), rank.sources->end());
    }
    return all;
}

std::vector<FileStamp> stampsNow(const std::vector<FileStamp>& files) {
    std::vector<FileStamp> now;
    for (const FileStamp& file : files) now.push_back(stampOf(file.path));
    return now;
}

}  // namespace altiscope
