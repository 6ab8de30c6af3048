/** Reads tar archives, which are not trusted: only regular files and folders, with paths inside the archive. */
import { badInput } from '../shared/errors.ts';

const BLOCK = 512;
/** Maximum size of the block of an extended header, which has the path of a file with a long one. */
const MAX_EXTENDED = 64 * 2 ** 10;
/** Offsets and lengths of the fields of a header. */
const FIELDS = { name: [0, 100], size: [124, 12], checksum: [148, 8], prefix: [345, 155] } as const;
const TYPE_OFFSET = 156;

export interface TarFile {
  /** Path in the archive, with `/` between names, none of which is `..`. */
  path: string;
  bytes: number;
  /** Content, to be read before the next file is asked for. */
  content: AsyncIterable<Buffer>;
}

/**
 * Yields the regular files of an archive.
 * @throws LocusError `bad-input` for links, special files, paths outside the archive, and damage
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const input = new BlockReader(source);
  let extended: string | null = null;
  for (;;) {
    const header = await input.read(BLOCK);
    // Two blocks of zeros end an archive. Some end without them.
    if (header === null || header.every((byte) => byte === 0)) return;
    checkChecksum(header);
    const type = String.fromCharCode(header[TYPE_OFFSET] ?? 0);
    const bytes = readNumber(header, 'size');
    const padding = -bytes & (BLOCK - 1);
    if (type === 'x' || type === 'g') {
      if (bytes > MAX_EXTENDED) throw damaged();
      const records = (await input.read(bytes + padding))?.subarray(0, bytes) ?? null;
      if (records === null) throw damaged();
      if (type === 'x') extended = readPath(records);
      continue;
    }
    const name = extended ?? joinPath(header);
    extended = null;
    // The folder itself, which archives of `tar -C folder .` begin with.
    if (type === '5' && /^\.\/?$/.test(name)) continue;
    const path = checkPath(name);
    if (type === '5') continue;
    if (type !== '0' && type !== '\0') throw createKindError(path);
    yield { path, bytes, content: input.openFile(bytes) };
    await input.skipRest();
    await input.read(padding);
  }
}

/** Reads given numbers of bytes from chunks of other sizes. */
class BlockReader {
  readonly #source: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  /** Bytes that are left of the current file. */
  #left = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns the next bytes; null at the end. @throws LocusError if the archive ends among them */
  async read(bytes: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let missing = bytes; missing > 0; ) {
      const part = await this.#take(missing);
      if (part === null && missing === bytes) return null;
      if (part === null) throw damaged();
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** Begins a file. What is not read of it is skipped by `skipRest`. */
  openFile(bytes: number): AsyncGenerator<Buffer> {
    this.#left = bytes;
    return this.#streamFile();
  }

  async *#streamFile(): AsyncGenerator<Buffer> {
    while (this.#left > 0) yield await this.#takeOfFile();
  }

  async skipRest(): Promise<void> {
    while (this.#left > 0) await this.#takeOfFile();
  }

  async #takeOfFile(): Promise<Buffer> {
    const part = await this.#take(this.#left);
    if (part === null) throw damaged();
    this.#left -= part.length;
    return part;
  }

  async #take(most: number): Promise<Buffer | null> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) return null;
      this.#chunk = value;
    }
    const part = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(part.length);
    return part;
  }
}

function readText(header: Buffer, field: keyof typeof FIELDS): string {
  const [start, length] = FIELDS[field];
  const bytes = header.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? length : end).toString('utf8');
}

function readNumber(header: Buffer, field: 'size' | 'checksum'): number {
  const text = readText(header, field).trim();
  if (!/^[0-7]{1,12}$/.test(text)) throw damaged();
  return Number.parseInt(text, 8);
}

function checkChecksum(header: Buffer): void {
  const [start, length] = FIELDS.checksum;
  const isOfChecksum = (at: number) => at >= start && at < start + length;
  const sum = header.reduce((total, byte, at) => total + (isOfChecksum(at) ? 0x20 : byte), 0);
  if (sum !== readNumber(header, 'checksum')) throw damaged();
}

const joinPath = (header: Buffer): string =>
  [readText(header, 'prefix'), readText(header, 'name')].filter(Boolean).join('/');

/** Reads the path in an extended header, which consists of lines such as `30 path=package/index.js`. */
const readPath = (records: Buffer): string | null =>
  /^\d+ path=(.*)$/m.exec(records.toString('utf8'))?.[1] ?? null;

function checkPath(path: string): string {
  const names = path.replace(/^\.\//, '').replace(/\/$/, '').split('/');
  const isSafe = names.every((name) => name !== '' && name !== '.' && name !== '..');
  if (isSafe && !/[\\:\0]/.test(path)) return names.join('/');
  throw badInput(
    `The archive has the path ${JSON.stringify(path.slice(0, 200))}, which is not inside it.`,
    'Use the original archive.',
  );
}

const createKindError = (path: string) =>
  badInput(
    `${JSON.stringify(path.slice(0, 200))} in the archive is a link or a special file.`,
    'Use the original archive.',
  );

const damaged = () => badInput('The archive is damaged.', 'Fetch it again.');
