import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue, readIssueCached } from '../../src/engine/issue/issue.ts';
import { getIssueSyntaxes } from '../../src/engine/languages/index.ts';

const TEXT = 'Session.send loses cookies\n\n```\nFile "app/session.py", line 3, in send\n```\n';

test('reads an issue once for all repositories with the same languages', () => {
  const python = getIssueSyntaxes(new Set(['python']));
  const read = readIssueCached(TEXT, python);
  assert.equal(readIssueCached(TEXT, getIssueSyntaxes(new Set(['python']))), read);
  assert.deepEqual(read, readIssue(TEXT, python));
});

test('reads other languages and other texts again', () => {
  const python = getIssueSyntaxes(new Set(['python']));
  const both = getIssueSyntaxes(new Set(['python', 'go']));
  const read = readIssueCached(TEXT, python);
  assert.notEqual(readIssueCached(TEXT, both), read);
  assert.equal(readIssueCached(TEXT, python), read);
  assert.deepEqual(readIssueCached('another issue', python), readIssue('another issue', python));
  assert.notEqual(readIssueCached(TEXT, python), read);
});

test('caches all lists of languages that a workspace of forty repositories has', () => {
  const lists = ['python', 'go', 'java', 'c', 'rust', 'ruby'].flatMap((one, i, all) =>
    all.slice(i).map((other) => getIssueSyntaxes(new Set([one, other]))),
  );
  const reads = lists.map((syntaxes) => readIssueCached(TEXT, syntaxes));
  assert.ok(new Set(reads).size > 8);
  for (const [i, syntaxes] of lists.entries())
    assert.equal(readIssueCached(TEXT, syntaxes), reads[i]);
});
