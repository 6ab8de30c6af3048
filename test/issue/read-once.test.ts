import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue, readOnce } from '../../src/engine/issue/issue.ts';
import { issueSyntaxes } from '../../src/engine/languages/index.ts';

const TEXT = 'Session.send loses cookies\n\n```\nFile "app/session.py", line 3, in send\n```\n';

test('reads an issue once for all repositories with the same languages', () => {
  const python = issueSyntaxes(new Set(['python']));
  const read = readOnce(TEXT, python);
  assert.equal(readOnce(TEXT, issueSyntaxes(new Set(['python']))), read);
  assert.deepEqual(read, readIssue(TEXT, python));
});

test('reads other languages and other texts again', () => {
  const python = issueSyntaxes(new Set(['python']));
  const both = issueSyntaxes(new Set(['python', 'go']));
  const read = readOnce(TEXT, python);
  assert.notEqual(readOnce(TEXT, both), read);
  assert.equal(readOnce(TEXT, python), read);
  assert.deepEqual(readOnce('another issue', python), readIssue('another issue', python));
  assert.notEqual(readOnce(TEXT, python), read);
});

test('caches all lists of languages that a workspace of forty repositories has', () => {
  const lists = ['python', 'go', 'java', 'c', 'rust', 'ruby'].flatMap((one, i, all) =>
    all.slice(i).map((other) => issueSyntaxes(new Set([one, other]))),
  );
  const reads = lists.map((syntaxes) => readOnce(TEXT, syntaxes));
  assert.ok(new Set(reads).size > 8);
  for (const [i, syntaxes] of lists.entries()) assert.equal(readOnce(TEXT, syntaxes), reads[i]);
});
