import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addSearch,
  compareLists,
  MIN_SHOWN_MS,
  type RecordedSearch,
} from '../../src/renderer/features/compare/compare.ts';
import { scoreCommand } from '../../src/renderer/features/palette/score.ts';
import { filterVersions } from '../../src/renderer/features/palette/versions.ts';
import type { Revision } from '../../src/shared/history.ts';
import { ranking } from './support.ts';

describe('comparing two lists', () => {
  it('finds what entered, left or moved within the first ten, and what changed below', () => {
    const list = (names: string) => ranking(...[...names].map((name) => `a.py::${name}`));
    const before = list('abcdefghijklmnop');
    const after = list('abcNefghdmjliknop');
    const { same, ...changes } = compareLists(before, after);
    const summary = Object.fromEntries(
      Object.entries(changes).map(([section, list]) => [
        section,
        list.map((change) => `${change.chunk.name} ${change.before}-${change.after}`),
      ]),
    );
    assert.deepEqual(summary, {
      entered: ['N null-4', 'm 13-10'],
      left: ['i 9-13', 'j 10-11'],
      moved: ['d 4-9'],
      below: ['k 11-14', 'n 14-15', 'o 15-16', 'p 16-17'],
    });
    assert.equal(same, 8);
  });
});

describe('earlier searches', () => {
  const search = (id: number, issue: string, at: number): RecordedSearch => ({
    ...{ id, root: '/r', where: 'Working tree', issue, title: issue, at },
    results: [],
  });
  const recordedIds = (...searches: RecordedSearch[]) =>
    searches.reduce<RecordedSearch[]>(addSearch, []).map(({ id }) => id);

  it('are recorded if they were shown for a while', () => {
    const later = 10 * MIN_SHOWN_MS;
    assert.deepEqual(
      recordedIds(search(1, 'a', 0), search(2, 'ab', later), search(3, 'abc', later + 1)),
      [1, 3],
    );
    assert.deepEqual(
      recordedIds(search(1, 'a', 0), search(2, 'ab', 1)),
      [1, 2],
      'the first search stays',
    );
  });

  it('are recorded for each different issue, however soon they follow', () => {
    const searches = ['The total is wrong', 'A cookie is lost', 'Mail is late'];
    assert.deepEqual(recordedIds(...searches.map((issue, i) => search(i, issue, i))), [0, 1, 2]);
  });

  it('are replaced by a later search for the same issue', () => {
    assert.deepEqual(recordedIds(search(1, 'a', 0), search(2, 'a', 1)), [2]);
  });
});

describe('versions', () => {
  const revision = (kind: Revision['kind'], name: string, subject: string): Revision => ({
    ...{ kind, name, subject, at: null },
    commit: name.padEnd(40, '0'),
  });
  const all = {
    branches: [revision('branch', 'topic', 'Cookies')],
    tags: [revision('tag', 'v1', 'Release')],
    commits: [revision('commit', 'abc', 'Cookies again')],
    named: null,
  };
  const found = (typed: string, named: Revision | null = null) =>
    filterVersions({ ...all, named }, typed).map(
      ({ heading, revisions }) => `${heading}: ${revisions.map(({ name }) => name).join(' ')}`,
    );

  it('are found by words of their name, id and message', () => {
    assert.deepEqual(found(''), ['Branches: topic', 'Tags: v1', 'Commits: abc']);
    assert.deepEqual(found('cookies'), ['Branches: topic', 'Commits: abc']);
    assert.deepEqual(found('again abc'), ['Commits: abc']);
    assert.deepEqual(found('nothing'), []);
  });

  it('are found by any other revision name, and listed once', () => {
    assert.deepEqual(found('HEAD~9', revision('commit', 'fff', 'Old')), [
      'Revision with this name: fff',
    ]);
    assert.deepEqual(found('abc', all.commits[0]), ['Commits: abc']);
  });
});

describe('a command', () => {
  const score = (typed: string) =>
    scoreCommand('', typed, ['Settings…', 'View', 'preferences theme']);
  it('is found by its synonyms, after commands with a matching title', () => {
    assert.ok(score('settings') > score('pref'));
    assert.ok(score('pref') > 0);
    assert.equal(score('references'), 0, 'a synonym is found by how it begins');
    assert.ok(score('view theme') > 0);
  });
});
