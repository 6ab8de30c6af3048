/**
 * Flags and environment variables that reduce the memory of a process that opens repositories by a third. V8's young generation,
 * one per thread, is limited to three times 8 MiB, also where a thread asks for more: the flag goes before its limits. glibc uses two arenas instead of eight per processor, and
 * returns freed blocks; other C libraries ignore these variables. lab/notes/2026-11-28-speed-and-memory.md has the savings and costs.
 */
export const SMALL_HEAP_FLAGS: readonly string[] = ['--max-semi-space-size=8'];
export const SMALL_ARENA_VARIABLES: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};
