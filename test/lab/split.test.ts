/*
 * One split for everything that learns, and that the lists of what was learned from keep to it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { breaches, familyOf, LISTED, type Part, partOf } from '../../lab/split/split.ts';

const LISTS = join(import.meta.dirname, '../../lab/split/trained-on');
/** A few numbers that make values comparable: these may be fitted on what is tuned on as well. */
const CALIBRATED = new Set(['confidence.json', 'reranked.json', 'reranked-confidence.json']);

test('renames, forks and copies are where their family is', () => {
  const parts = {
    'psf/requests': 'never',
    'adamchainz+django': 'never',
    'samuelcolvin/pydantic': 'never',
    'PyCQA/astroid': 'never',
    'Mockito/mockito': 'never',
    'tox-dev+tox': 'tune',
    'drakkar-software/OctoBot': 'tune',
    'facebookresearch+fairseq': 'test',
    'allegroai/trains': 'test',
    'heartexlabs/label-studio': 'test',
    'encode+httpx': 'train',
    'httpie+cli': 'train',
    'jakubroztocil/httpie': 'train',
  };
  for (const [repository, part] of Object.entries(parts)) {
    assert.equal(partOf(repository), part, repository);
  }
});

test('no family is in two parts', () => {
  const seen = new Map<string, string>();
  for (const [part, repositories] of Object.entries(LISTED)) {
    for (const repository of repositories) {
      const family = familyOf(repository);
      assert.ok((seen.get(family) ?? part) === part, `${repository}: ${seen.get(family)}, ${part}`);
      assert.equal(partOf(repository), part, repository);
      seen.set(family, part);
    }
  }
});

test('what is tested on does not drift', () => {
  const { test: families, tune } = LISTED;
  assert.equal(families.length, 29);
  assert.deepEqual(families, [...families].sort());
  for (const name of ['celery/kombu', 'pallets/click', 'tox-dev/tox', 'urllib3/urllib3']) {
    assert.ok(tune.includes(name), name);
  }
});

test('nothing was learned from what is tested on or kept out, and of what is tuned on only how to calibrate', () => {
  const files = readdirSync(LISTS);
  assert.ok(files.length > 0);
  for (const file of files) {
    const list: { repositories: string[] } = JSON.parse(readFileSync(join(LISTS, file), 'utf8'));
    assert.ok(list.repositories.length > 0, file);
    const parts: [Part, ...Part[]] = CALIBRATED.has(file) ? ['train', 'tune'] : ['train'];
    assert.deepEqual(breaches(list.repositories, ...parts), [], file);
  }
});

test('a breach is found', () => {
  const list = ['encode/httpx', 'adamchainz/django', 'pytorch+ignite', 'someone/click'];
  assert.deepEqual(breaches(list, 'train'), [
    'adamchainz/django (never)',
    'pytorch+ignite (test)',
    'someone/click (tune)',
  ]);
});
