/** Folders and archives with exported models, from anyone. Nothing outside of them is read, and only plain files. */
import { createReadStream, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { throwIfCancelled } from '../../base/cancel.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { readTar } from '../../base/tar.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { explainWriteError } from '../../base/write-file.ts';
import { badInput, LocusError } from '../../shared/errors.ts';

/** Maximum size of a file of a model. */
const MAX_FILE_BYTES = 2 ** 30;
/** Limits of an archive. A repository of a model may have its weights in other formats too. */
const MAX_ARCHIVE_BYTES = 16 * 2 ** 30;
const MAX_ARCHIVE_FILES = 5_000;

/** Folders in which exports are. */
const SUBFOLDERS = ['onnx', '1_Pooling'];

export interface ModelSource {
  /** Files of the model by path, with their sizes in bytes. */
  readonly files: ReadonlyMap<string, number>;
  /** Writes files, by path, to new files in a folder. @throws LocusError `bad-input`, `bad-output`, `cancelled` */
  copy(names: ReadonlyMap<string, string>, folder: string): Promise<void>;
}

/** Returns true for a path or address that is a folder or an archive, and not a language model. */
export function isPublishedSource(source: string): boolean {
  const [path = ''] = source.split(/[?#]/, 1);
  if (/\.(tar|tgz|tar\.gz)$/i.test(path)) return true;
  return statSync(source, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** @throws LocusError `bad-input` if it cannot be read */
export async function openFolder(path: string, signal: AbortSignal): Promise<ModelSource> {
  const folder = new UntrustedFolder(path, 'bad-input');
  const files = new Map<string, number>();
  for (const below of ['', ...SUBFOLDERS]) {
    const entries = await readdir(join(path, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) files.set(name, (await folder.getSize(name, signal)) ?? 0);
      else if (entry.isSymbolicLink()) throw createLinkError(join(path, name));
    }
  }
  return {
    files,
    async copy(names, to) {
      for (const [from, name] of names) {
        const bytes = await folder.read(from, { maxBytes: MAX_FILE_BYTES, signal });
        if (!bytes) throw badInput(`${join(path, from)} is missing.`, 'Choose another folder.');
        await writeParts(join(to, name), [bytes]);
      }
    },
  };
}

const createLinkError = (path: string) =>
  badInput(`${path} is a symbolic link.`, 'Copy the folder with cp -rL, and add the copy.');

/** Opens an archive, which may be compressed by gzip. @throws LocusError `bad-input` if it is damaged, too large, or unsafe */
export async function openArchive(path: string, signal: AbortSignal): Promise<ModelSource> {
  const files = new Map<string, number>();
  for await (const file of readArchive(path, signal)) {
    if (files.has(file.path))
      throw badInput(`${path} has ${file.path} twice.`, 'Use the original archive.');
    files.set(file.path, file.bytes);
  }
  return {
    files,
    async copy(names, to) {
      for await (const file of readArchive(path, signal)) {
        const name = names.get(file.path);
        if (name !== undefined) await writeParts(join(to, name), file.content);
      }
    },
  };
}

async function* readArchive(path: string, signal: AbortSignal) {
  const isCompressed = await hasGzipMagic(path);
  const source = createReadStream(path, { highWaterMark: 2 ** 20 });
  const input = isCompressed ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => input.destroy(error));
  let files = 0;
  let bytes = 0;
  try {
    for await (const file of readTar(limitBytes(input, path, signal))) {
      throwIfCancelled(signal, 'Reading the archive');
      bytes += file.bytes;
      if (++files > MAX_ARCHIVE_FILES || bytes > MAX_ARCHIVE_BYTES) throw createSizeError(path);
      yield file;
    }
  } catch (error) {
    if (error instanceof LocusError) throw error;
    throw badInput(`${path} is damaged: ${(error as Error).message}.`, 'Fetch it again.');
  } finally {
    source.destroy();
    input.destroy();
  }
}

/** Yields the bytes of an archive, as many as its limit. Headers count too. */
async function* limitBytes(
  input: AsyncIterable<Buffer>,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of input) {
    throwIfCancelled(signal, 'Reading the archive');
    bytes += part.length;
    if (bytes > MAX_ARCHIVE_BYTES) throw createSizeError(path);
    yield part;
  }
}

const createSizeError = (path: string) =>
  badInput(
    `${path} has more than ${MAX_ARCHIVE_FILES} files or ${MAX_ARCHIVE_BYTES / 2 ** 30} GiB.`,
    'Use an archive with only the exported model.',
  );

async function hasGzipMagic(path: string): Promise<boolean> {
  await using file = await open(path).catch((error: Error) => {
    throw badInput(`${path} cannot be read: ${error.message}.`, 'Choose another file.');
  });
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

async function writeParts(
  path: string,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> {
  let bytes = 0;
  try {
    await using file = await open(path, 'wx', PRIVATE_FILE);
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > MAX_FILE_BYTES)
        throw badInput('A file of the model has more than 1 GiB.', 'Export it with fewer bits.');
      await file.writeFile(part);
    }
    await file.sync();
  } catch (error) {
    if (error instanceof LocusError) throw error;
    throw explainWriteError(error, path);
  }
}
