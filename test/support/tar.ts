/** Writes tar archives for tests, hostile ones included. */
import { gzipSync } from 'node:zlib';

export interface TarEntry {
  path: string;
  content?: string | Buffer;
  /** Type of the entry: '0' a file, '1' a hard link, '2' a symbolic link, '5' a folder, 'x' an extended header. */
  type?: string;
  target?: string;
  /** Size to claim, instead of that of the content. */
  size?: number;
}

const BLOCK = 512;

export function createTar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(packEntry), Buffer.alloc(2 * BLOCK)]);
}

export const createTarball = (entries: readonly TarEntry[]): Buffer => gzipSync(createTar(entries));

function packEntry({ path, content = '', type = '0', target = '', size }: TarEntry): Buffer[] {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0, 100);
  header.write('0000644\0', 100);
  header.write((size ?? bytes.length).toString(8).padStart(11, '0'), 124);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write(target, 157, 100);
  header.write('ustar\0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
}
