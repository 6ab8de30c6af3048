/* Confidence of rankings, with the model and the ranker that come with Locus. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const VERBS = 'parse render load store merge split encode decode validate refresh send'.split(' ');
const THINGS = (
  'cookie header session token invoice cart price account message template password image ' +
  'archive calendar queue worker schedule report currency address payment filter index'
).split(' ');

/** A function for each combination of verb and thing, with one file for each thing. */
function sources(): Record<string, string> {
  return Object.fromEntries(
    THINGS.map((thing) => [
      `shop/${thing}.py`,
      VERBS.map(
        (verb) =>
          `def ${verb}_${thing}(${thing}, strict=False):\n` +
          `    """${verb} a ${thing} of the shop."""\n` +
          `    if strict and not ${thing}:\n        raise ValueError("no ${thing} to ${verb}")\n` +
          `    return ${verb}er(${thing})\n`,
      ).join('\n\n'),
    ]),
  );
}

let root: string;
let dataDir: string;
let repository: Repository;
before(async () => {
  root = gitRepository(sources());
  dataDir = temporaryFolder();
  repository = await openRepository(root, { dataDir, device: 'cpu' });
  await repository.index();
});
after(async () => {
  await repository.close();
  removeFolder(root);
  removeFolder(dataDir);
});

async function confidenceIn(issue: string): Promise<number> {
  const { confidence } = await repository.search({ issue });
  assert.ok(confidence !== null, issue);
  return confidence;
}

const DESCRIBED =
  'parse_cookie raises ValueError for an empty cookie\n\n' +
  'With `strict=True`, `parse_cookie("")` raises `ValueError: no cookie to parse`. ' +
  'An empty cookie should be parsed like a missing one.';

test('an issue that describes a function has a high confidence', async () => {
  assert.ok((await confidenceIn(DESCRIBED)) > 0.6);
});

test('a bare link gives no list, so no confidence either', async () => {
  const issue = 'https://github.com/someone/shop/issues/1743';
  const { confidence, results, issue: report } = await repository.search({ issue });
  assert.deepEqual([confidence, results.length], [null, 0]);
  assert.deepEqual(report.notes, ['The issue has only a link. Describe the problem in words.']);
});

test('random letters have a low confidence', async () => {
  assert.ok((await confidenceIn('asdf qwer')) < 0.2);
});

test('an issue about files that are not indexed has a low confidence', async () => {
  const issue =
    'Badge in the README points to Travis\n\nThe build badge of README.md still links to travis-ci.org. ' +
    'Please use the one of GitHub Actions, and remove .travis.yml and the Dockerfile.';
  assert.ok((await confidenceIn(issue)) < 0.4);
});
