/** The component that runs models: `node-llama-cpp` with its machine code, in the data directory. Nothing of it runs while it is installed. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { throwIfCancelled } from '../../base/cancel.ts';
import { runIfFree } from '../../base/file-lock.ts';
import { parseJsonOrNull } from '../../base/http.ts';
import { createFolder } from '../../base/private.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { explainWriteError, writePrivateFile } from '../../base/write-file.ts';
import { LocusError } from '../../shared/errors.ts';
import { GPUS, type Gpu } from '../../shared/local-models.ts';
import { getGgufFolder } from './folders.ts';
import { extractPackage, fetchPackage, indexArchives, toHex } from './runtime-archives.ts';
import {
  listRuntimePackages,
  RUNTIME_VERSION,
  type RuntimePackage,
  thisMachine,
  usesGpu,
} from './runtime-packages.ts';

/** Packages that are fetched at once. */
const AT_ONCE = 4;
const MANIFEST_FILE = 'runtime.json';
/** Folder of archives that are fetched. */
const DOWNLOADS = 'downloads';

const manifest = z.object({ version: z.string(), gpu: z.enum(GPUS).nullable() });

export interface Runtime {
  /** Folder of the library. */
  library: string;
  gpu: Gpu | null;
  /** True if models run on a GPU, if there is one. */
  useGpu: boolean;
}

export interface InstallOptions {
  dataDir: string;
  gpu: Gpu | null;
  /** Address of the registry, or a folder with the archives of all packages. */
  source: URL | string;
  signal: AbortSignal;
  /** Called when a package is installed. */
  onPackage?: (done: number, total: number) => void;
  /** For tests. */
  packages?: readonly RuntimePackage[];
  backoffMs?: number;
}

const getRuntimeFolder = (dataDir: string): string =>
  join(getGgufFolder(dataDir), `runtime-${RUNTIME_VERSION}`);

/** Finds the component; null if it is not installed, or in another version. */
export function findRuntime(dataDir: string): Runtime | null {
  const folder = getRuntimeFolder(dataDir);
  const file = join(folder, MANIFEST_FILE);
  const parsed = existsSync(file)
    ? manifest.safeParse(parseJsonOrNull(readFileSync(file, 'utf8')))
    : null;
  if (!parsed?.success || parsed.data.version !== RUNTIME_VERSION) return null;
  const { gpu } = parsed.data;
  const library = join(folder, 'node_modules', 'node-llama-cpp');
  return { library, gpu, useGpu: usesGpu(process, gpu) };
}

/** Removes all versions of the component. Returns false if it is not installed. */
export function removeRuntime(dataDir: string): boolean {
  const folder = getGgufFolder(dataDir);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const found = names.filter((name) => name.startsWith('runtime-'));
  for (const name of found) rmSync(join(folder, name), { recursive: true, force: true });
  return found.length > 0;
}

/**
 * Installs the component, completely or not at all. Archives that were fetched by an interrupted installation are used again.
 * @throws LocusError `not-fetched`, `bad-output`, `bad-input` for a folder without the archives, `busy`, `cancelled`
 */
export async function installRuntime(options: InstallOptions): Promise<void> {
  const { dataDir, signal } = options;
  const parent = getGgufFolder(dataDir);
  const staged = join(parent, 'staged');
  createFolder(join(parent, DOWNLOADS));
  try {
    const installed = await runIfFree(join(parent, DOWNLOADS, 'runtime.lock'), async () => {
      rmSync(staged, { recursive: true, force: true });
      createFolder(staged);
      await stage(options, staged);
      removeRuntime(dataDir);
      renameSync(staged, getRuntimeFolder(dataDir));
      removeArchives(join(parent, DOWNLOADS));
      return true;
    });
    if (!installed)
      throw new LocusError('busy', 'Another command installs it.', 'Wait until it ends.');
  } catch (error) {
    throwIfCancelled(signal, 'The installation');
    throw explainWriteError(error, parent);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Fetches and extracts all packages. The first failure ends the others. */
async function stage(options: InstallOptions, folder: string): Promise<void> {
  const { dataDir, gpu, source, onPackage = () => {} } = options;
  const packages = options.packages ?? listRuntimePackages(thisMachine(), gpu);
  const archives =
    typeof source === 'string' ? await indexArchives(source, packages, options.signal) : null;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const semaphore = new Semaphore(AT_ONCE);
  let done = 0;
  const install = async (one: RuntimePackage) => {
    const own = join(getGgufFolder(dataDir), DOWNLOADS, `${toHex(one).slice(0, 32)}.tgz`);
    const archive = archives?.get(one.integrity) ?? own;
    if (typeof source !== 'string') await fetchPackage(one, source, own, { ...options, signal });
    await extractPackage(archive, join(folder, one.path), signal);
    onPackage(++done, packages.length);
  };
  const installing = packages.map((one) =>
    semaphore.run(signal, 'The installation', () => install(one)),
  );
  try {
    await Promise.all(installing);
  } finally {
    failed.abort();
    await Promise.allSettled(installing);
  }
  const content = JSON.stringify({ version: RUNTIME_VERSION, gpu });
  writePrivateFile(join(folder, MANIFEST_FILE), content);
}

function removeArchives(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.tgz')))
    rmSync(join(folder, name), { force: true });
}
