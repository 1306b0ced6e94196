#include "views/common/widgets/recent_list.h"

namespace altiscope {

QStringList withRecent(QStringList list, const QString& path) {
    list.removeAll(path);
    list.prepend(path);
    if (list.size() > kMaxRecent) list.resize(kMaxRecent);
    return list;
}

}  // namespace altiscope
