/** Platforms that have an npm package. */
import { usesMusl } from '../../src/base/musl.ts';

export interface Machine {
  /** As `process.platform`. */
  platform: string;
  /** As `process.arch`. */
  arch: string;
  /** True on Linux with musl instead of glibc. */
  musl: boolean;
}

export const PLATFORMS: readonly Machine[] = [
  { platform: 'linux', arch: 'x64', musl: false },
  { platform: 'linux', arch: 'x64', musl: true },
  { platform: 'linux', arch: 'arm64', musl: false },
  { platform: 'darwin', arch: 'arm64', musl: false },
  { platform: 'darwin', arch: 'x64', musl: false },
  { platform: 'win32', arch: 'x64', musl: false },
];

/** Returns the name of a platform, such as `linux-x64-musl`. */
export function getPlatformName({ platform, arch, musl }: Machine): string {
  return `${platform}-${arch}${musl ? '-musl' : ''}`;
}

/** Platform of this machine. */
export function thisMachine(): Machine {
  const { platform, arch } = process;
  return { platform, arch, musl: usesMusl() };
}
