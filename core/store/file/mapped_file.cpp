#include "core/store/file/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return nullptr;
    struct stat status {};
    void* data = MAP_FAILED;
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    ::close(descriptor);
    if (data == MAP_FAILED) return nullptr;
    return std::shared_ptr<const MappedFile>(new MappedFile(data, static_cast<std::size_t>(status.st_size)));
}

MappedFile::~MappedFile() { ::munmap(m_data, m_size); }

}  // namespace altiscope
