import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus } from './fake-host.ts';

const folder = temporaryFolder();
after(() => removeFolder(folder));
const languages = (...args: string[]) =>
  locus(fakeEngine([]), ['languages', ...args], { env: { LOCUS_DATA_DIR: folder } });

it('locus languages lists how each language is read, and what is wrong with those of the user', async () => {
  mkdirSync(join(folder, 'languages/odd'), { recursive: true });
  const { stdout, stderr } = await languages();
  assert.match(stdout, /^Python {2,}in depth {2,}\.py/m);
  assert.match(stdout, /^Swift {2,}by its tags {2,}\.swift$/m);
  assert.match(stderr, /odd is not used: language\.json is missing/);
  const { languages: listed, problems } = (await languages('--json')).json();
  assert.equal(listed.find(({ name }: { name: string }) => name === 'swift').reader, 'tags');
  assert.equal(problems.length, 1);
});

it('locus languages check says what is wrong with a language, and how it is used', async () => {
  const odd = await languages('check', 'odd');
  assert.equal(odd.exitCode, 2);
  assert.match(odd.stderr, /language\.json is missing/);
  for (const args of [['check'], ['list', 'odd'], ['remove', 'odd']]) {
    const { exitCode, stderr } = await languages(...args);
    assert.equal(exitCode, 2);
    assert.match(stderr, /Use list, or check <language>|list, check/);
  }
});
