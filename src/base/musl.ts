/** Parts of a report of Node that tell the C library. Electron may leave them out. */
interface LibraryReport {
  header?: { glibcVersionRuntime?: string };
  sharedObjects?: string[];
}

/** Returns true on Linux with musl instead of glibc, such as Alpine Linux. */
export function usesMusl(): boolean {
  if (process.platform !== 'linux') return false;
  // The network takes most of a report's time.
  Object.assign(process.report, { excludeNetwork: true });
  const { header, sharedObjects } = process.report.getReport() as LibraryReport;
  if (header?.glibcVersionRuntime) return false;
  return sharedObjects?.some((path) => /\b(?:ld|libc)[.-]musl-/.test(path)) ?? false;
}
