import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CheckFile } from '../../src/services/check/check-file.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { endpoints, finds } from '../check/fake-endpoint.ts';
import { chunk } from '../exchange/sample.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus } from './fake-host.ts';

const CHUNKS = [chunk('src/a.py', 'parse', 'x'), chunk('src/b.py', 'Jar.find', 'y')];

describe('a workspace on the command line', () => {
  let top: string;
  before(() => {
    top = temporaryFolder();
    for (const name of ['web', 'shop']) mkdirSync(join(top, name, '.git'), { recursive: true });
  });
  after(() => removeFolder(top));

  const roots = () => ['shop', 'web'].map((name) => join(top, name));

  it('searches the repositories of --repo, and takes all words as the issue', async () => {
    const [shop, web] = roots();
    const fake = fakeEngine(CHUNKS);
    const args = ['search', '--json', '--repo', shop!, '--repo', web!, 'parse fails', 'twice'];
    const { exitCode, json } = await locus(fake, args);
    assert.equal(exitCode, 0);
    assert.deepEqual(
      fake.opened.map(({ root }) => root),
      roots(),
    );
    assert.ok(fake.searched.every(({ issue }) => issue === 'parse fails twice'));
    const { results, repositories } = json();
    assert.equal(results.length, 4);
    for (const result of results) {
      assert.ok(['shop', 'web'].includes(result.repository));
      assert.match(result.path, /^src\//);
      assert.match(result.address, /^src\//);
      assert.equal(typeof result.probability, 'number');
      assert.ok(Array.isArray(result.reasons));
    }
    assert.deepEqual(repositories.map(({ name }: { name: string }) => name).sort(), [
      'shop',
      'web',
    ]);
  });

  it('finds repositories in a folder with --workspace, and accepts a folder before the issue together with --repo', async () => {
    const fake = fakeEngine(CHUNKS);
    const { stdout } = await locus(fake, ['search', top, '--workspace', 'parse fails']);
    assert.deepEqual(
      fake.opened.map(({ root }) => root),
      roots(),
    );
    assert.match(stdout, /shop\/src\/a\.py/);
    const beside = fakeEngine(CHUNKS);
    const [shop, web] = roots();
    await locus(beside, ['search', web!, '--repo', shop!, 'parse fails']);
    assert.deepEqual(
      beside.opened.map(({ root }) => root),
      [web, shop],
    );
    assert.equal(beside.searched[0]?.issue, 'parse fails');
  });

  it('exports, shows and indexes each repository', async () => {
    const fake = fakeEngine(CHUNKS);
    const { stdout } = await locus(fake, ['export', top, '--workspace', 'parse fails']);
    assert.match(stdout, /\[`shop\/src\/a\.py:1`\]/);
    for (const command of ['index', 'status']) {
      const { exitCode, json } = await locus(fake, [command, ...roots(), '--json']);
      assert.equal(exitCode, 0);
      assert.deepEqual(
        json().repositories.map(({ repository }: { repository: string }) => repository),
        ['shop', 'web'],
      );
    }
  });

  it('says which repositories failed, and fails if all did', async () => {
    const failure = new LocusError('bad-repository', 'it cannot be read', 'look at it');
    const fake = fakeEngine(CHUNKS, { failure });
    const { exitCode, stderr } = await locus(fake, ['index', ...roots()]);
    assert.equal(exitCode, 3);
    assert.match(stderr, /shop: it cannot be read\. Look at it\.[\s\S]*web: it cannot be read/);
    const search = await locus(fake, ['search', top, '--workspace', 'parse fails']);
    assert.equal(search.exitCode, 3);
  });

  const endpoint = endpoints();

  it('checks and exports one list, and opens each repository once for it', async () => {
    const model = await endpoint(finds('Jar.find', 'The jar has to find it.'));
    const fake = fakeEngine(CHUNKS);
    const env = { LOCUS_DATA_DIR: top, LOCUS_CHECK_URL: model.address };
    const args = ['--workspace', '--check', '--check-model', 'tiny', 'parse fails'];
    const { exitCode, json, stderr } = await locus(fake, ['search', top, ...args, '--json'], {
      env,
    });
    assert.equal(exitCode, 0, stderr);
    const { results, check } = json();
    const names = results.map(({ name }: { name: string }) => name);
    assert.equal(names[0], 'find');
    // The first of the list keeps some weight against a model without earlier answers.
    assert.deepEqual(names.slice(0, 3).toSorted(), ['find', 'find', 'parse']);
    assert.deepEqual(
      check.chunks.map(({ repository, address }: Record<string, string>) => [repository, address]),
      results.map(({ repository, address }: Record<string, string>) => [repository, address]),
    );
    const openings = fake.opened.map(({ root }) => root);
    // Each repository is opened to search it, to compute digests, and to describe its functions.
    assert.equal(openings.length, 2 * 3, openings.join());
    const exported = await locus(fake, ['export', top, ...args], { env });
    assert.match(exported.stdout, /\*\*1\.\*\* `Jar\.find`[\s\S]*Check: Edit here/);
    assert.equal(model.asked.length, 1);
  });

  it('sends no code of a repository without consent', async () => {
    const env = {
      ...{ LOCUS_DATA_DIR: temporaryFolder(), LOCUS_CHECK_MODEL: 'big' },
      LOCUS_CHECK_URL: 'http://models.invalid/v1',
    };
    const agreed = () =>
      new CheckFile(env.LOCUS_DATA_DIR, env).state('http://models.invalid').agreed;
    const args = ['search', top, '--workspace', '--check', 'parse fails'];
    const refused = await locus(fakeEngine(CHUNKS), args, { env });
    assert.equal(refused.exitCode, 2);
    // The fake engine says this folder of every repository.
    assert.match(refused.stderr, /code of at least 4 results, from \/home\/ann\/secret\/shop, to/);
    assert.deepEqual(agreed(), []);
    await locus(fakeEngine(CHUNKS), [...args, '--check-agree'], { env });
    assert.deepEqual(agreed(), ['/home/ann/secret/shop']);
    removeFolder(env.LOCUS_DATA_DIR);
  });

  it('refuses what does not work with a workspace', async () => {
    const fake = fakeEngine(CHUNKS);
    const none = await locus(fake, ['search']);
    assert.equal(none.exitCode, 2);
    assert.match(none.stderr, /No issue is given/);
    const empty = await locus(fake, ['search', join(top, 'web', '.git'), '--workspace', 'x']);
    assert.equal(empty.exitCode, 3);
  });
});
