// altiscope-cli of a relocatable folder (packaging/tarball.sh): starts lib/altiscope-cli beside it with the loader and
// libraries that are there. Static, so that it needs nothing of the machine, not even a shell.

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef LOADER
#error "LOADER is the name of the loader in lib"
#endif

/// Path of this program. Where /proc is missing it is how the program was started, with links followed.
static int ownPath(char* path) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length > 0) {
        path[length] = '\0';
        return 1;
    }
    const char* started = (const char*)getauxval(AT_EXECFN);
    return started != NULL && realpath(started, path) != NULL;
}

int main(int argc, char** argv) {
    char folder[PATH_MAX], loader[PATH_MAX + 64], program[PATH_MAX + 64];
    char** words = calloc((size_t)argc + 8, sizeof *words);
    char* slash;
    int i, n = 0;
    if (words == NULL || !ownPath(folder) || (slash = strrchr(folder, '/')) == NULL) {
        fputs("altiscope-cli: the folder of this program could not be found.\n", stderr);
        return 1;
    }
    *slash = '\0';
    snprintf(loader, sizeof loader, "%s/lib/" LOADER, folder);
    snprintf(program, sizeof program, "%s/lib/altiscope-cli", folder);
    words[n++] = loader;
    words[n++] = "--inhibit-cache";
    words[n++] = "--library-path";
    // The program's folder: a path would be split at each ":" and ";".
    words[n++] = "$ORIGIN";
    words[n++] = "--argv0";
    words[n++] = argc > 0 ? argv[0] : "altiscope-cli";
    words[n++] = program;
    for (i = 1; i < argc; ++i) words[n++] = argv[i];
    // These libraries are the machine's, and may want another libc.
    unsetenv("LD_PRELOAD");
    unsetenv("LD_AUDIT");
    execv(loader, words);
    fprintf(stderr, "altiscope-cli: %s could not be started: %s.\n", loader, strerror(errno));
    return 126;
}
