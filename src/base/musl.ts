import fs from 'node:fs';

/**
 * Returns true on Linux with musl instead of glibc, such as Alpine Linux. False if the system does not tell. Uses nothing of this
 * module but `fs`, because the program of the npm package contains its text.
 */
export function usesMusl(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // Files mapped into this process, its loader among them.
    return /\/(?:ld|libc)[.-]musl-/.test(fs.readFileSync('/proc/self/maps', 'latin1'));
  } catch {
    // Without /proc, glibc is likely.
    return false;
  }
}
