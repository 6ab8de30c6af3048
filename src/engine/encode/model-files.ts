/**
 * Reads the files of a model's folder, which other people may be able to write to. Only regular files of bounded size are
 * read, each once. The bytes whose digest was checked are the bytes that are used, so nobody can replace a file in between.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type ReadLimits, UntrustedFolder } from '../../base/untrusted-folder.ts';
import { LocusError } from '../../shared/errors.ts';

export const MANIFEST_FILE = 'model.json';

/** Maximum size of a manifest, in bytes. */
const MAX_MANIFEST_BYTES = 2 ** 20;
/** Maximum size of a vocabulary or tokenizer, in bytes. */
const MAX_TOKENIZER_BYTES = 64 * 2 ** 20;
/** Maximum size of an ONNX file, in bytes. The format itself allows 2 GiB. */
const MAX_ONNX_BYTES = 2 ** 30;

interface Digests {
  sha256: Readonly<Record<string, string>>;
}

/** Reads the text of the manifest in `folder`. @throws LocusError `bad-model` */
export async function readManifestText(folder: string): Promise<string> {
  return String(await readFile(folder, MANIFEST_FILE, { maxBytes: MAX_MANIFEST_BYTES }));
}

/** Checks that a file exists. @throws LocusError `bad-model` if it is missing, a link, or not a regular file */
export function requireModelFile(folder: string, name: string): void {
  if (!new UntrustedFolder(folder, 'bad-model').check(name))
    throw badModel(`The model in ${folder} lacks ${name}, which its ${MANIFEST_FILE} lists.`);
}

/** Reads files of a model and compares them with the digests in its manifest, if it has them. */
export class ModelFiles {
  readonly #folder: string;
  readonly #digests: Digests['sha256'];

  constructor(folder: string, { sha256 }: Digests) {
    this.#folder = folder;
    this.#digests = sha256;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /** Reads a vocabulary or a tokenizer. @throws LocusError `bad-model` */
  async readText(name: string): Promise<string> {
    return String(await this.#read(name, { maxBytes: MAX_TOKENIZER_BYTES }));
  }

  /** Reads an ONNX file into new memory, or into memory from `allocate`. @throws LocusError `bad-model` */
  async readOnnx(
    name: string,
    allocate?: ReadLimits['allocate'],
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { buffer, byteOffset, length } = await this.#read(name, {
      maxBytes: MAX_ONNX_BYTES,
      allocate,
    });
    // Not a `Buffer`, since its `slice` does not copy.
    return new Uint8Array(buffer, byteOffset, length);
  }

  async #read(name: string, limits: ReadLimits): Promise<Buffer<ArrayBuffer>> {
    const bytes = await readFile(this.#folder, name, limits);
    const expected = this.#digests[name];
    if (expected !== undefined && hash('sha256', bytes) !== expected)
      throw badModel(
        `${this.path(name)} is damaged: its SHA-256 differs from the one in the manifest.`,
      );
    return bytes;
  }
}

async function readFile(
  folder: string,
  name: string,
  limits: ReadLimits,
): Promise<Buffer<ArrayBuffer>> {
  const path = join(folder, name);
  try {
    const bytes = await new UntrustedFolder(folder, 'bad-model').read(name, limits);
    if (bytes) return bytes;
  } catch (cause) {
    const { syscall, message } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    throw badModel(`${path} cannot be read: ${message}.`, cause);
  }
  throw badModel(`${path} cannot be read: it is missing.`);
}

/** Creates the error of a model that cannot be used. @param message sentence that names the file */
export function badModel(message: string, cause?: unknown): LocusError {
  return new LocusError(
    'bad-model',
    message,
    'Restore the model folder, or choose another model.',
    { cause },
  );
}
