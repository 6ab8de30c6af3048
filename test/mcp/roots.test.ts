import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Roots } from '../../src/mcp/roots.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
before(() => {
  folder = realpathSync(temporaryFolder());
  for (const name of ['a/part', 'b', 'other/a', 'repo/.git', 'repo/src'])
    mkdirSync(at(name), { recursive: true });
  symlinkSync(at('b'), at('a/link'));
  symlinkSync(at('a'), at('alias'));
});
after(() => removeFolder(folder));

const place = (folder: string, within: string | null = null) => ({ folder, within });

describe('a root', () => {
  it('is the default if it is the only one', () => {
    assert.deepEqual(Roots.fromUser([at('a')]).find(undefined), place(at('a')));
    assert.throws(() => Roots.fromUser([at('a'), at('b')]).find(undefined), /more than one/);
  });

  it('is found by its name, its path, and a path with links; duplicates count once', () => {
    const roots = Roots.fromUser([at('a'), at('b'), at('alias')]);
    assert.deepEqual(roots.folders, [at('a'), at('b')]);
    for (const name of ['a', at('a'), at('alias'), at('b/../a')])
      assert.deepEqual(roots.find(name), place(at('a')), name);
  });

  it('with an ambiguous name must be named by its path', () => {
    const roots = Roots.fromUser([at('a'), at('other/a')]);
    assert.throws(
      () => roots.find('a'),
      /`a` is the name of several repositories\. Available: .*other/,
    );
    assert.deepEqual(roots.find(at('other/a')), place(at('other/a')));
  });

  it('gives access to folders inside, limited to the root', () => {
    const roots = Roots.fromUser([at('a')]);
    assert.deepEqual(roots.find('part'), place(at('a/part'), at('a')));
    assert.deepEqual(roots.find(at('a/part')), place(at('a/part'), at('a')));
  });

  it('among several gives access to inner folders by its name, unless that is ambiguous', () => {
    const roots = Roots.fromUser([at('a'), at('b')]);
    assert.deepEqual(roots.find('a/part'), place(at('a/part'), at('a')));
    assert.deepEqual(roots.find('b/'), place(at('b')));
    for (const other of ['part', 'a/../other', 'a/nowhere', '../a'])
      assert.throws(() => roots.find(other), /is unknown\./, other);
    const alike = Roots.fromUser([at('a'), at('other/a')]);
    assert.throws(() => alike.find('a/part'), /is unknown\./);
  });

  it('is not left by links or `..`; folders outside look like missing ones', () => {
    const roots = Roots.fromUser([at('a')]);
    const refusal = (repository: string) => {
      try {
        roots.find(repository);
      } catch (error) {
        return (error as Error).message.replaceAll(repository, '…');
      }
      return assert.fail(repository);
    };
    const missing = refusal(at('nowhere'));
    for (const other of [
      'link',
      at('a/link'),
      '..',
      '../b',
      at('b'),
      '/',
      at('a/../b'),
      'part/../..',
    ])
      assert.equal(refusal(other).slice(0, 30), missing.slice(0, 30), other);
  });

  it('of a client is a file URL; others are skipped, and an error names the source of the roots', () => {
    const uris = [
      pathToFileURL(at('a')).href,
      'https://example.com/',
      'file:///nowhere',
      'nonsense',
    ];
    assert.deepEqual(Roots.fromClient(uris).folders, [at('a')]);
    assert.throws(() => Roots.fromClient(['untitled:x']).find(undefined), {
      message: /The client has no folder/,
      remedy: /Open the folder in the client/,
    });
  });

  it('is the repository of the working directory, if there is one', () => {
    assert.deepEqual(Roots.fromDirectory(at('repo/src')).folders, [at('repo')]);
    assert.deepEqual(Roots.fromDirectory(at('b')).folders, []);
    assert.throws(() => Roots.fromDirectory(at('b')).find(undefined), {
      remedy: /--repo <folder>/,
    });
  });

  it('must exist if the user names it', () => {
    assert.throws(() => Roots.fromUser([at('nowhere')]), /does not exist/);
    assert.equal(basename(Roots.fromUser([at('alias')]).folders[0]!), 'a');
  });
});
