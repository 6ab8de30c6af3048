import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Semaphore } from '../../src/base/semaphore.ts';
import { FolderObjects } from '../../src/services/objects/folder-objects.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { keepsTheContract } from './contract.ts';

const folder = temporaryFolder();
after(() => removeFolder(folder));

describe('objects in a folder', () => {
  keepsTheContract(() => openObjects(join(folder, 'shared')));

  it('name the path that is in the way', async () => {
    writeFileSync(join(folder, 'file'), '');
    const store = await openObjects(join(folder, 'file'));
    await assert.rejects(store.put('a/b', Buffer.from('x'), null), {
      code: 'bad-objects',
      message: /file: E[A-Z]+: /,
    });
  });

  it('report a missing folder if it is expected to exist', async () => {
    const store = await openObjects(join(folder, 'unmounted'), { expected: true });
    for (const read of [() => store.get('a/b'), () => store.size('a/b')])
      await assert.rejects(read, { code: 'bad-objects', message: /unmounted: ENOENT: / });
    await store.put('a/b', Buffer.from('x'), null);
    assert.equal(await store.get('a/c'), null);
  });
});

describe('objects in a folder of the desktop app', () => {
  keepsTheContract(
    async () => new FolderObjects(join(folder, 'desktop'), { slots: new Semaphore(2) }),
  );
});

it('reject invalid addresses', async () => {
  for (const [address, why] of [
    ['', /^The address is empty\.$/],
    ['s3://Bucket_/x', /does not name a valid bucket/],
    ['s3://bucket/a b', /invalid prefix/],
    ['s3://bucket/a?endpoint=http://storage.example', /endpoint that does not start with https/],
    ['http://storage.example/x', /neither s3/],
    ['ftp://storage.example/x', /neither s3/],
    ['https://somebody:secret@storage.example/x', /^https:\/\/… contains a password\.$/],
  ] as const)
    await assert.rejects(openObjects(address), { code: 'bad-input', message: why });
});
