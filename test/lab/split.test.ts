/*
 * Tests the split of repositories, and that the recorded training data of all models respects it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBreaches, getFamily, getPart, LISTED, type SplitPart } from '../../lab/split/split.ts';

const LISTS = join(import.meta.dirname, '../../lab/split/trained-on');
/** Models with few numbers, which calibrate values. They may also be fitted on repositories to tune on. */
const CALIBRATED = new Set(['confidence.json', 'reranked.json', 'reranked-confidence.json']);

test('renames, forks and copies are in the part of their family', () => {
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
    assert.equal(getPart(repository), part, repository);
  }
});

test('no family is in two parts', () => {
  const seen = new Map<string, string>();
  for (const [part, repositories] of Object.entries(LISTED)) {
    for (const repository of repositories) {
      const family = getFamily(repository);
      assert.ok((seen.get(family) ?? part) === part, `${repository}: ${seen.get(family)}, ${part}`);
      assert.equal(getPart(repository), part, repository);
      seen.set(family, part);
    }
  }
});

test('the part to test on does not change', () => {
  const { test: families, tune } = LISTED;
  assert.equal(families.length, 29);
  assert.deepEqual(families, [...families].sort());
  for (const name of ['celery/kombu', 'pallets/click', 'tox-dev/tox', 'urllib3/urllib3']) {
    assert.ok(tune.includes(name), name);
  }
});

test('no model was trained on excluded or test repositories, and only calibrations on those to tune on', () => {
  const files = readdirSync(LISTS);
  assert.ok(files.length > 0);
  for (const file of files) {
    const list: { repositories: string[] } = JSON.parse(readFileSync(join(LISTS, file), 'utf8'));
    assert.ok(list.repositories.length > 0, file);
    const parts: [SplitPart, ...SplitPart[]] = CALIBRATED.has(file) ? ['train', 'tune'] : ['train'];
    assert.deepEqual(findBreaches(list.repositories, ...parts), [], file);
  }
});

test('a breach is found', () => {
  const list = ['encode/httpx', 'adamchainz/django', 'pytorch+ignite', 'someone/click'];
  assert.deepEqual(findBreaches(list, 'train'), [
    'adamchainz/django (never)',
    'pytorch+ignite (test)',
    'someone/click (tune)',
  ]);
});
