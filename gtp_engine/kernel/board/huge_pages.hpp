// Large pages for memory that is read and written at random places.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace patchpie {

inline constexpr std::size_t huge_page = std::size_t{1} << 21;

// Asks the system for large pages, as far as whole ones fit. It may refuse. With small pages the
// first write to each 4 KiB causes a page fault, and most reads miss the processor's page table.
inline void use_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
    auto const start = reinterpret_cast<std::uintptr_t>(memory);
    std::size_t const before = -start % huge_page;
    if (bytes < before + huge_page) return;
    std::size_t const whole = (bytes - before) / huge_page * huge_page;
    madvise(static_cast<std::byte*>(memory) + before, whole, MADV_HUGEPAGE);
#endif
}

}  // namespace patchpie
