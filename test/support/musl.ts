import fs from 'node:fs';
import type { TestContext } from 'node:test';

const LOADER = '7f1c22a00000-7f1c22a15000 r--p 00000000 fe:00 1311 ';

/** Lets the files that are mapped into this process be those of a system with musl, or others. Null: none can be read. */
export function pretendMusl(
  t: TestContext,
  loader: string | null = '/lib/ld-musl-x86_64.so.1',
): void {
  const read = fs.readFileSync;
  t.mock.method(fs, 'readFileSync', ((path: string, ...rest: []) => {
    if (path !== '/proc/self/maps') return read(path, ...rest);
    if (loader === null) throw new Error('There is no /proc.');
    return `${LOADER}${loader}\n`;
  }) as typeof fs.readFileSync);
}
