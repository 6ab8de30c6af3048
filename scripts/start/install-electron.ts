/**
 * Installs Electron's program into its npm package, which comes without it. `install-electron` does the same, but asks nothing, and leaves
 * parts behind if it is interrupted.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadArtifact } from '@electron/get';
import { extract } from '@electron-internal/extract-zip';
import { throwIfCancelled } from '../../src/base/cancel.ts';
import type { Environment } from '../../src/base/environment.ts';
import { download } from '../../src/services/gguf/download.ts';
import { badInput, LocusError } from '../../src/shared/errors.ts';

export interface InstallOptions {
  /** Folder of the npm package `electron`. */
  folder: string;
  env: Environment;
  signal: AbortSignal;
  /** Called before a download with its host. Resolves with false to install nothing. */
  confirm: (host: string, version: string) => Promise<boolean>;
  onProgress: (bytes: number, total: number | null) => void;
  /** Milliseconds before the first retry. */
  backoffMs?: number;
}

/** Maximum size of an archive. Those of today have about 120 MB. */
const MAX_BYTES = 1e9;

/** Thrown to end the download that nobody wants. */
class Refused extends Error {}

/**
 * Downloads Electron's archive, or takes it from its cache, compares it with the checksum in the package, and unpacks it. Either
 * everything is installed or nothing.
 * @returns false if `confirm` refused
 * @throws LocusError `not-fetched`, `bad-output`, `bad-input` for an invalid mirror, `cancelled`
 */
export async function installElectron(options: InstallOptions): Promise<boolean> {
  const { folder, signal } = options;
  try {
    await unpack(await fetchArchive(options), folder, signal);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    if (error instanceof LocusError) throw error;
    const { code, message, input } = error as NodeJS.ErrnoException & { input?: string };
    if (code === 'ERR_INVALID_URL')
      throw badInput(`The address ${input} is invalid.`, 'Correct ELECTRON_MIRROR.');
    throw new LocusError(
      'bad-output',
      `Electron could not be installed in ${folder}: ${message}.`,
      'Check the folder and the free space.',
      { cause: error },
    );
  }
}

/** Returns the path of the archive in Electron's cache, which `install-electron` uses too. */
function fetchArchive(options: InstallOptions): Promise<string> {
  const { folder, env, signal, confirm, onProgress, backoffMs } = options;
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const version: string = read('package.json').version;
  const checksums: Record<string, string> = read('checksums.json');
  const { platform, arch } = process;
  const value = checksums[`electron-v${version}-${platform}-${arch}.zip`];
  if (value === undefined)
    throw badInput(`Electron has no program for ${platform} ${arch}.`, 'Use the browser.');
  return downloadArtifact({
    ...{ version, platform, arch, artifactName: 'electron', checksums },
    cacheRoot: env.electron_config_cache,
    downloader: {
      download: async (address, path) => {
        const url = new URL(address);
        if (!(await confirm(url.host, version))) throw new Refused();
        const digest = { algorithm: 'sha256', value } as const;
        await download({ url, path, digest, maxBytes: MAX_BYTES, signal, onProgress, backoffMs });
      },
    },
  });
}

/** Unpacks the archive beside its final folder. `path.txt`, which names the program, is written last, as `install-electron` does. */
async function unpack(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  const program = getProgramPath();
  const [dist, pathFile] = [join(folder, 'dist'), join(folder, 'path.txt')];
  const unpacked = await mkdtemp(join(folder, 'dist.part-'));
  try {
    await extract(archive, { dir: unpacked });
    throwIfCancelled(signal, 'The installation of Electron');
    if (!existsSync(join(unpacked, program))) throw new Error(`${archive} has no ${program}`);
    await rm(pathFile, { force: true });
    await rm(dist, { recursive: true, force: true });
    await rename(unpacked, dist);
    await writeFile(pathFile, program);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

function getProgramPath(): string {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}
