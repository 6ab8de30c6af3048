/** The archives of the component's packages: fetches, finds and extracts them. */
import { createReadStream, readdirSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { throwIfCancelled } from '../../base/cancel.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { readTar, type TarFile } from '../../base/tar.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { download, hashFile } from './download.ts';
import { getPackageName, type RuntimePackage } from './runtime-packages.ts';

/** Limits of one package; the largest, for CUDA, has 370 MB. */
const MAX_PACKAGE_BYTES = 2 ** 30;
const MAX_FILES = 5_000;

/** Files that are not needed to run models: sources of llama.cpp, types, maps, and pages. */
const NOT_NEEDED = /^llama\/(?!.*\.json$)|\.d\.[cm]?ts$|\.map$|(?<!license|licence|notice)\.md$/i;

/** Returns the digest of an archive in hexadecimal digits. */
export const toHex = ({ integrity }: RuntimePackage): string =>
  Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');

/** Downloads an archive, unless it is there. @throws LocusError as `download` */
export async function fetchPackage(
  one: RuntimePackage,
  registry: URL,
  path: string,
  { signal, backoffMs }: { signal: AbortSignal; backoffMs?: number | undefined },
): Promise<void> {
  const name = getPackageName(one);
  const file = `${name.slice(name.lastIndexOf('/') + 1)}-${one.version}.tgz`;
  await download({
    url: new URL(`${name}/-/${file}`, registry),
    path,
    digest: { algorithm: 'sha512', value: toHex(one) },
    maxBytes: MAX_PACKAGE_BYTES,
    signal,
    ...(backoffMs !== undefined && { backoffMs }),
  });
}

/**
 * Finds the archives in a folder by their content, whatever their names are. Returns their paths by `integrity`.
 * @throws LocusError `bad-input` if one is missing
 */
export async function indexArchives(
  folder: string,
  packages: readonly RuntimePackage[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = new Map(packages.map((one) => [toHex(one), one]));
  const found = new Map<string, string>();
  for (const name of listArchives(folder)) {
    const path = join(folder, name);
    const one = wanted.get(await hashFile(path, 'sha512', signal));
    if (one) found.set(one.integrity, path);
  }
  const missing = packages.filter(({ integrity }) => !found.has(integrity));
  if (missing.length === 0) return found;
  const names = missing.map((one) => `${getPackageName(one)}@${one.version}`);
  throw badInput(
    `${folder} lacks ${missing.length} of ${packages.length} packages: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
    `On a machine with a network, fetch them there: npm pack ${names.join(' ')}`,
  );
}

function listArchives(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  } catch (error) {
    throw badInput(
      `${folder} cannot be read: ${(error as Error).message}.`,
      'Give a folder with the archives of the packages.',
    );
  }
}

/** Writes the files of a package that are needed, without the archive's top folder. @throws LocusError as `readTar` */
export async function extractPackage(
  archive: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const source = createReadStream(archive).pipe(createGunzip());
  let files = 0;
  let bytes = 0;
  for await (const file of readTar(source)) {
    throwIfCancelled(signal, 'The installation');
    bytes += file.bytes;
    if (++files > MAX_FILES || bytes > MAX_PACKAGE_BYTES)
      throw new LocusError('not-fetched', `${archive} is too large.`, 'Fetch it again.');
    const path = file.path.slice(file.path.indexOf('/') + 1);
    if (!NOT_NEEDED.test(path)) await writeNewFile(join(folder, path), file);
  }
}

async function writeNewFile(path: string, { content }: TarFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await using file = await open(path, 'wx', PRIVATE_FILE);
  for await (const part of content) await file.write(part);
}
