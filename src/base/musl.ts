import fs from 'node:fs';

/** Files mapped into this process, its loader among them. */
const MAPS = '/proc/self/maps';

/** Returns true on Linux with musl instead of glibc, such as Alpine Linux. False if the system does not tell. */
export function usesMusl(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\/(?:ld|libc)[.-]musl-/.test(fs.readFileSync(MAPS, 'latin1'));
  } catch {
    // Without /proc, glibc is likely.
    return false;
  }
}
