#pragma once

// The switch of mutants.py: each mutated place of the copied sources is `altiMutant(number) ? changed : original`.
// Never part of a build of the checkout.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <type_traits>

namespace altiscope::test {

/// Numbers of places that were reached, in a file that all processes of one test share: what is killed has written too.
inline constexpr unsigned kReachedPlaces = 8192;

inline std::atomic<unsigned>* reachedMutants() {
    const char* path = std::getenv("ALTI_MUTANTS_REACHED");
    const int file = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return nullptr;
    void* memory = ::mmap(nullptr, kReachedPlaces * sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    return memory == MAP_FAILED ? nullptr : static_cast<std::atomic<unsigned>*>(memory);
}

inline unsigned activeMutant() {
    const char* number = std::getenv("ALTI_MUTANT");
    return number == nullptr ? 0 : static_cast<unsigned>(std::strtoul(number, nullptr, 10));
}

inline bool isActiveMutant(unsigned number) {
    static const unsigned active = activeMutant();
    static std::atomic<unsigned>* const reached = reachedMutants();
    if (reached != nullptr) {
        unsigned place = number % kReachedPlaces, known = 0;
        while ((known = reached[place].load(std::memory_order_relaxed)) != number) {
            if (known == 0 && reached[place].compare_exchange_strong(known, number)) break;
            if (known == number) break;
            place = (place + 1) % kReachedPlaces;
        }
    }
    return active == number;
}

}  // namespace altiscope::test

/// Whether the mutant with this number is switched on (ALTI_MUTANT). Constants keep their original.
constexpr bool altiMutant(unsigned number) {
    return !std::is_constant_evaluated() && altiscope::test::isActiveMutant(number);
}
