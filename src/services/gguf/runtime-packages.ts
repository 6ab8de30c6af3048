/** The packages of `node-llama-cpp` for one machine, pinned by version and digest. */
import { usesMusl } from '../../base/musl.ts';
import { badInput } from '../../shared/errors.ts';
import type { Gpu } from '../../shared/local-models.ts';
import lock from './runtime-lock.json' with { type: 'json' };

/** A package of the registry. */
export interface RuntimePackage {
  /** Folder in the component, such as `node_modules/chalk`. */
  path: string;
  version: string;
  /** Digest of the archive as npm writes it: `sha512-` and base64. */
  integrity: string;
  /** Size of its files. */
  bytes: number;
}

export interface Machine {
  platform: string;
  arch: string;
  /** True on Linux with glibc, which the machine code needs there. */
  hasGlibc: boolean;
}

export const RUNTIME_VERSION = lock.version;
const SCOPE = 'node_modules/@node-llama-cpp/';

/** Machine code by system. */
const BASE: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'linux-riscv64': 'linux-riscv64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

export const thisMachine = (): Machine => {
  return {
    platform: process.platform,
    arch: process.arch,
    hasGlibc: process.platform === 'linux' && !usesMusl(),
  };
};

/**
 * Lists the packages that run models on a machine.
 * @throws LocusError `bad-input` if there is no machine code for it, or none for that GPU
 */
export function listRuntimePackages(machine: Machine, gpu: Gpu | null): RuntimePackage[] {
  const names = listBackends(machine, gpu);
  const backends = lock.backends.filter(({ path }) => names.includes(path.slice(SCOPE.length)));
  return [...lock.packages, ...backends];
}

/** Returns true if a component uses a GPU. */
export const usesGpu = (
  { platform, arch }: Pick<Machine, 'platform' | 'arch'>,
  gpu: Gpu | null,
): boolean => gpu !== null || (platform === 'darwin' && arch === 'arm64');

function listBackends({ platform, arch, hasGlibc }: Machine, gpu: Gpu | null): string[] {
  const system = `${platform}-${arch}`;
  const base = BASE[system];
  if (base === undefined || (platform === 'linux' && !hasGlibc))
    throw badInput(
      `There is no machine code to run models on this system (${system}${base ? ' without glibc' : ''}).`,
      'Use the server of a model, such as Ollama, or an agent.',
    );
  if (gpu === null) return [base];
  const own = `${base}-${gpu}`;
  const backends = [base, own, `${own}-ext`];
  if (lock.backends.some(({ path }) => path === SCOPE + own)) return backends;
  throw badInput(
    `There is no machine code for ${gpu} on this system (${system}).`,
    'Leave out --gpu.',
  );
}

/** Name of a package in the registry. */
export const getPackageName = ({ path }: RuntimePackage): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
