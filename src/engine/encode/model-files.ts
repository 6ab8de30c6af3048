/**
 * The files of a model's folder, which other people can write to: regular files of bounded size, each read once. The bytes that are
 * compared with the manifest's digest are the ones that are used, so that nobody can replace a file in between.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type ReadLimits, UntrustedFolder } from '../../base/untrusted-folder.ts';
import { LocusError } from '../../shared/errors.ts';

export const MANIFEST_FILE = 'model.json';

/** Largest manifest, in bytes. */
const MAX_MANIFEST_BYTES = 2 ** 20;
/** Largest vocabulary or tokenizer, in bytes. */
const MAX_TOKENIZER_BYTES = 64 * 2 ** 20;
/** Largest ONNX file, in bytes: its format allows 2 GiB. */
const MAX_ONNX_BYTES = 2 ** 30;

interface Digests {
  sha256: Readonly<Record<string, string>>;
}

/** Reads the text of the manifest in `folder`. @throws LocusError `bad-model` */
export async function readManifestText(folder: string): Promise<string> {
  return String(await readFile(folder, MANIFEST_FILE, { maxBytes: MAX_MANIFEST_BYTES }));
}

/** @throws LocusError `bad-model` if a file is missing, or is a link or not a regular file */
export function requireModelFile(folder: string, name: string): void {
  if (!new UntrustedFolder(folder, 'bad-model').check(name))
    throw badModel(`The model in ${folder} lacks ${name}, which its ${MANIFEST_FILE} names.`);
}

/** Reads files of a model and compares them with the digests in its manifest, where it has them. */
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

  /** Reads an ONNX file into new memory, or what `allocate` returns. @throws LocusError `bad-model` */
  async readOnnx(
    name: string,
    allocate?: ReadLimits['allocate'],
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { buffer, byteOffset, length } = await this.#read(name, {
      maxBytes: MAX_ONNX_BYTES,
      allocate,
    });
    // Not a `Buffer`, whose `slice` copies nothing.
    return new Uint8Array(buffer, byteOffset, length);
  }

  async #read(name: string, limits: ReadLimits): Promise<Buffer<ArrayBuffer>> {
    const bytes = await readFile(this.#folder, name, limits);
    const expected = this.#digests[name];
    if (expected !== undefined && hash('sha256', bytes) !== expected)
      throw badModel(`${this.path(name)} is damaged: its SHA-256 is not the manifest's.`);
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

/** Returns the error of a model that cannot be used. @param message a sentence that names the file */
export function badModel(message: string, cause?: unknown): LocusError {
  return new LocusError(
    'bad-model',
    message,
    'Restore the model folder, or choose another model.',
    { cause },
  );
}
