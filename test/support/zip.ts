/** Writes zip archives for tests, without compression. */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  path: string;
  content: string;
  /** Permissions of the file, 0644 by default. */
  mode?: number;
}

const VERSION = 20;
/** Host of the entries: Unix, so that they have permissions. */
const UNIX = 3;
const REGULAR_FILE = 0o100000;

export function createZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, mode = 0o644 } of entries) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(content)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const file = [Buffer.from('PK\x03\x04'), common, name, bytes];
    const end = Buffer.alloc(14);
    end.writeUInt32LE(((REGULAR_FILE | mode) << 16) >>> 0, 6);
    end.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([VERSION, UNIX]), common, end, name);
    files.push(...file);
    offset += Buffer.concat(file).length;
  }
  const index = Buffer.concat(directory);
  const trailer = Buffer.alloc(18);
  trailer.writeUInt16LE(entries.length, 4);
  trailer.writeUInt16LE(entries.length, 6);
  trailer.writeUInt32LE(index.length, 8);
  trailer.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, index, Buffer.from('PK\x05\x06'), trailer]);
}
