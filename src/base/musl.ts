/** Returns true on Linux with musl instead of glibc, such as Alpine Linux. */
export function usesMusl(): boolean {
  if (process.platform !== 'linux') return false;
  // The network takes most of a report's time.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return !header.glibcVersionRuntime;
}
