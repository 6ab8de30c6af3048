/** Reads for which platforms machine code was built. Packages for other platforms cannot be run where they are made, but read. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPlatformName, type Machine } from './platforms.ts';

const COMPILED = '**/*.{node,so,so.*,dylib,dll}';

const ELF = { 62: 'x64', 183: 'arm64' } as Record<number, string>;
const MACH_O = { 16777223: 'x64', 16777228: 'arm64' } as Record<number, string>;
const PE = { 34404: 'x64', 43620: 'arm64' } as Record<number, string>;

/** Returns the platforms of a file with machine code, such as `linux-x64`. Those of an unknown format are empty. */
export function readTargets(bytes: Buffer): string[] {
  const magic = bytes.readUInt32BE(0);
  if (magic === 0x7f454c46) {
    // The library names its libc; musl's has another name.
    const libc = bytes.includes('libc.so.6') ? '' : '-musl';
    return [`linux-${ELF[bytes.readUInt16LE(18)]}${libc}`];
  }
  if (magic === 0xcffaedfe) return [`darwin-${MACH_O[bytes.readUInt32LE(4)]}`];
  if (magic === 0xcafebabe)
    return Array.from(
      { length: bytes.readUInt32BE(4) },
      (_, n) => `darwin-${MACH_O[bytes.readUInt32BE(8 + 20 * n)]}`,
    );
  const isPortable = bytes.toString('latin1', 0, 2) === 'MZ';
  return isPortable ? [`win32-${PE[bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4)]}`] : [];
}

/**
 * Checks that a package has machine code, all of it for a platform.
 * @throws Error that names a file for another platform
 */
export function checkBinaries(folder: string, machine: Machine): void {
  const wanted = getPlatformName(machine);
  const paths = globSync(COMPILED, { cwd: folder });
  if (paths.length === 0) throw new Error(`${folder} has no machine code for ${wanted}`);
  for (const path of paths) {
    const targets = readTargets(readFileSync(join(folder, path)));
    if (!targets.includes(wanted))
      throw new Error(`${path} is for ${targets.join(' and ')}, not for ${wanted}`);
  }
}
