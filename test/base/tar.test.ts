import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTar } from '../../src/base/tar.ts';
import { createTar, type TarEntry } from '../support/tar.ts';

/** Reads an archive whose bytes arrive in pieces of a given size. */
async function read(bytes: Buffer, piece = bytes.length): Promise<Record<string, string>> {
  async function* cut() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  const files: Record<string, string> = {};
  for await (const { path, content } of readTar(cut())) {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(part);
    files[path] = Buffer.concat(parts).toString();
  }
  return files;
}

const FILES: TarEntry[] = [
  { path: 'package/', type: '5' },
  { path: 'package/index.js', content: 'export {};\n' },
  { path: 'package/empty', content: '' },
  { path: 'package/long', content: 'x'.repeat(5000) },
];

describe('a tar archive', () => {
  it('is read in pieces of any size', async () => {
    for (const piece of [1, 7, 511, 512, 513, 100_000])
      assert.deepEqual(await read(createTar(FILES), piece), {
        'package/index.js': 'export {};\n',
        'package/empty': '',
        'package/long': 'x'.repeat(5000),
      });
  });

  it('is read further if the content of a file is not', async () => {
    const paths: string[] = [];
    for await (const { path } of readTar(streamOf(createTar(FILES)))) paths.push(path);
    assert.deepEqual(paths, ['package/index.js', 'package/empty', 'package/long']);
  });

  it('names files with long paths in an extended header', async () => {
    const long = `package/${'deep/'.repeat(40)}index.js`;
    const record = `path=${long}\n`;
    const content = `${String(record.length + 4).padStart(3, '0')} ${record}`;
    const archive = createTar([
      { path: 'PaxHeader', type: 'x', content },
      { path: 'package/cut.js', content: 'a' },
      { path: 'package/b.js', content: 'b' },
    ]);
    assert.deepEqual(await read(archive), { [long]: 'a', 'package/b.js': 'b' });
  });

  const refused: Record<string, [TarEntry[], RegExp]> = {
    'a symbolic link': [[{ path: 'package/a', type: '2', target: '/etc/passwd' }], /is a link/],
    'a hard link': [[{ path: 'package/a', type: '1', target: '../../b' }], /is a link/],
    'a device': [[{ path: 'package/a', type: '3' }], /a special file/],
    'a path that leaves it': [[{ path: 'package/../../a' }], /is not inside it/],
    'an absolute path': [[{ path: '/etc/cron.d/a' }], /is not inside it/],
    'a path of Windows': [[{ path: 'package\\..\\a' }], /is not inside it/],
    'a drive of Windows': [[{ path: 'C:/a' }], /is not inside it/],
    'a path that leaves it in an extended header': [
      [{ path: 'x', type: 'x', content: '18 path=../../a/b\n' }, { path: 'package/a' }],
      /is not inside it/,
    ],
    'an extended header of a gigabyte': [[{ path: 'x', type: 'x', size: 2 ** 30 }], /is damaged/],
  };
  for (const [what, [entries, message]] of Object.entries(refused))
    it(`with ${what} is refused`, async () => {
      await assert.rejects(read(createTar(entries)), { code: 'bad-input', message });
    });

  it('that is cut or changed is refused', async () => {
    const archive = createTar(FILES);
    const damage = { code: 'bad-input', message: /is damaged/ };
    await assert.rejects(read(archive.subarray(0, 3000)), damage);
    await assert.rejects(read(archive.subarray(0, 1000)), damage);
    const changed = Buffer.from(archive);
    changed[520] = 0x41;
    await assert.rejects(read(changed), damage);
  });
});

async function* streamOf(bytes: Buffer) {
  yield bytes;
}
