/**
 * How a process is started that reads repositories: it does with a third less memory. V8's young generation, of which each
 * thread has one, may grow to three times 16 MiB in place of 32; and glibc has two arenas in place of eight a processor, and gives blocks back
 * that are freed. Other C libraries do not know these variables. docs/measurements.md has what they save and cost.
 */
export const SMALL_HEAPS: readonly string[] = ['--max-semi-space-size=16'];
export const SMALL_ARENAS: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};
