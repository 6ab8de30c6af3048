import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue, readOnce } from '../../src/engine/issue/issue.ts';
import { issueSyntaxes } from '../../src/engine/languages/index.ts';

const TEXT = 'Session.send loses cookies\n\n```\nFile "app/session.py", line 3, in send\n```\n';

test('an issue is read once for all repositories of the same languages, and as ever', () => {
  const python = issueSyntaxes(new Set(['python']));
  const read = readOnce(TEXT, python);
  assert.equal(readOnce(TEXT, issueSyntaxes(new Set(['python']))), read);
  assert.deepEqual(read, readIssue(TEXT, python));
});

test('other languages and other texts are read anew', () => {
  const python = issueSyntaxes(new Set(['python']));
  const both = issueSyntaxes(new Set(['python', 'go']));
  const read = readOnce(TEXT, python);
  assert.notEqual(readOnce(TEXT, both), read);
  assert.equal(readOnce(TEXT, python), read);
  assert.deepEqual(readOnce('another issue', python), readIssue('another issue', python));
  assert.notEqual(readOnce(TEXT, python), read);
});

test('as many lists of languages as a set of forty repositories has are all kept', () => {
  const lists = ['python', 'go', 'java', 'c', 'rust', 'ruby'].flatMap((one, i, all) =>
    all.slice(i).map((other) => issueSyntaxes(new Set([one, other]))),
  );
  const reads = lists.map((syntaxes) => readOnce(TEXT, syntaxes));
  assert.ok(new Set(reads).size > 8);
  for (const [i, syntaxes] of lists.entries()) assert.equal(readOnce(TEXT, syntaxes), reads[i]);
});
