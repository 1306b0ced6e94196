// Tries one forbidden call on a folder, for the self-test of the evidence guard: evidence_probe CALL FOLDER.
// The folder holds a file "file". Ends with 0 if the call came through or failed in an ordinary way: then the guard
// slept.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>

namespace {

namespace fs = std::filesystem;

/// By name: what is done with the folder.
const std::map<std::string, std::function<void(const fs::path&)>>& calls() {
    static const std::map<std::string, std::function<void(const fs::path&)>> table = {
        {"ofstream", [](const fs::path& f) { std::ofstream(f / "new") << "x"; }},
        {"fopen-append", [](const fs::path& f) { std::fopen((f / "file").c_str(), "a"); }},
        {"fopen-update", [](const fs::path& f) { std::fopen((f / "file").c_str(), "r+"); }},
        {"freopen", [](const fs::path& f) { static_cast<void>(std::freopen((f / "file").c_str(), "w", stdin)); }},
        {"open-rw", [](const fs::path& f) { ::open((f / "file").c_str(), O_RDWR); }},
        {"open-create", [](const fs::path& f) { ::open((f / "new").c_str(), O_RDONLY | O_CREAT, 0600); }},
        {"openat", [](const fs::path& f) { ::openat(::open(f.c_str(), O_RDONLY), "file", O_WRONLY); }},
        {"relative",
         [](const fs::path& f) {
             fs::current_path(f);
             std::ofstream("new") << "x";
         }},
        {"through-link",
         [](const fs::path& f) {
             const fs::path link = fs::temp_directory_path() / ("alti_probe_" + std::to_string(::getpid()));
             fs::create_symlink(f / "file", link);
             std::ofstream(link) << "x";
         }},
        {"creat", [](const fs::path& f) { ::creat((f / "new").c_str(), 0600); }},
        {"mkstemp", [](const fs::path& f) { static_cast<void>(::mkstemp((f / "nXXXXXX").string().data())); }},
        {"mkdtemp", [](const fs::path& f) { static_cast<void>(::mkdtemp((f / "nXXXXXX").string().data())); }},
        {"mkdir", [](const fs::path& f) { fs::create_directory(f / "new"); }},
        {"mkfifo", [](const fs::path& f) { ::mkfifo((f / "new").c_str(), 0600); }},
        {"unlink", [](const fs::path& f) { ::unlink((f / "file").c_str()); }},
        {"remove", [](const fs::path& f) { std::remove((f / "file").c_str()); }},
        {"fs-remove", [](const fs::path& f) { fs::remove(f / "file"); }},
        {"fs-remove-all", [](const fs::path& f) { fs::remove_all(f); }},
        {"rename-away", [](const fs::path& f) { fs::rename(f / "file", fs::temp_directory_path() / "alti_probe"); }},
        {"rename-into", [](const fs::path& f) { fs::rename("/nowhere/at/all", f / "new"); }},
        {"symlink", [](const fs::path& f) { fs::create_symlink("file", f / "new"); }},
        {"hard-link", [](const fs::path& f) { fs::create_hard_link(f / "file", f / "new"); }},
        {"copy-into", [](const fs::path& f) { fs::copy_file(f / "file", f / "new"); }},
        {"truncate", [](const fs::path& f) { static_cast<void>(::truncate((f / "file").c_str(), 0)); }},
        {"chmod", [](const fs::path& f) { ::chmod((f / "file").c_str(), 0777); }},
        {"fs-permissions", [](const fs::path& f) { fs::permissions(f / "file", fs::perms::all); }},
        {"fchmod", [](const fs::path& f) { ::fchmod(::open((f / "file").c_str(), O_RDONLY), 0777); }},
        {"chown", [](const fs::path& f) { static_cast<void>(::chown((f / "file").c_str(), 0, 0)); }},
        {"utime", [](const fs::path& f) { ::utime((f / "file").c_str(), nullptr); }},
        {"fs-last-write-time", [](const fs::path& f) { fs::last_write_time(f / "file", fs::file_time_type{}); }},
        {"futimens", [](const fs::path& f) { ::futimens(::open((f / "file").c_str(), O_RDONLY), nullptr); }},
        {"setxattr", [](const fs::path& f) { ::setxattr((f / "file").c_str(), "user.x", "1", 1, 0); }},
    };
    return table;
}

/// What a viewer may do: read and list, and write elsewhere.
void allowed(const fs::path& folder) {
    std::ifstream stream(folder / "file");
    std::string text;
    if (!std::getline(stream, text)) std::exit(1);
    for (const auto& entry : fs::recursive_directory_iterator(folder)) static_cast<void>(fs::file_size(entry));
    const fs::path elsewhere = fs::temp_directory_path() / ("alti_probe_dir_" + std::to_string(::getpid()));
    fs::create_directory(elsewhere);
    std::ofstream(elsewhere / "a") << text;
    fs::rename(elsewhere / "a", elsewhere / "b");
    fs::permissions(elsewhere / "b", fs::perms::owner_all);
    if (fs::remove_all(elsewhere) != 2) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--list") {
        for (const auto& [name, call] : calls()) std::cout << name << '\n';
        return 0;
    }
    if (argc != 3) return 2;
    const std::string name = argv[1];
    try {
        if (name == "allowed") allowed(argv[2]);
        else calls().at(name)(argv[2]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return name == "allowed" ? 1 : 0;
    }
    return 0;
}
