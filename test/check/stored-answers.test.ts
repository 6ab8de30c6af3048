import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { StoredAnswers } from '../../src/services/check/stored-answers.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const MARKS = ['#0123456789abcdef01234567', '#76543210fedcba9876543210'];
const ask = (text: string, mark = MARKS[0]) => [
  { role: 'user' as const, content: `${mark} ${text}` },
];

describe('stored answers', () => {
  const place = (t: TestContext) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    return join(folder, 'answers.jsonl');
  };

  it('are found by model and request, whatever its marks', (t) => {
    const path = place(t);
    new StoredAnswers(path).add('tiny', ask('one'), '[1]');
    const stored = new StoredAnswers(path);
    assert.equal(stored.find('tiny', ask('one', MARKS[1])), '[1]');
    assert.equal(stored.find('tiny', ask('two')), null);
    assert.equal(stored.find('big', ask('one')), null);
  });

  it('hold no text of the request, unless an evaluation asks for it', (t) => {
    const path = place(t);
    new StoredAnswers(path).add('tiny', ask('secret code'), '[1]');
    assert.doesNotMatch(readFileSync(path, 'utf8'), /secret/);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    new StoredAnswers(path, { withRequests: true }).add('tiny', ask('public code'), '[2]');
    assert.match(readFileSync(path, 'utf8'), /public code/);
  });

  it('survive damaged and unfinished lines', (t) => {
    const path = place(t);
    new StoredAnswers(path).add('tiny', ask('one'), '[1]');
    appendFileSync(path, '\u0000garbage\n{"key": 3, "answer": "x"}\n{"key": "a", "ans');
    new StoredAnswers(path).add('tiny', ask('two'), '[2]');
    new StoredAnswers(path).add('tiny', ask('three'), '[3]');
    assert.equal(new StoredAnswers(path).find('tiny', ask('one')), '[1]');
    assert.equal(new StoredAnswers(path).find('tiny', ask('three')), '[3]');
  });

  it('lose the older half when they grow large', (t) => {
    const path = place(t);
    const stored = new StoredAnswers(path);
    const long = 'x'.repeat(1_000_000);
    for (let i = 0; i < 9; i++) stored.add('tiny', ask(String(i)), long);
    assert.equal(new StoredAnswers(path).find('tiny', ask('0')), null);
    assert.equal(new StoredAnswers(path).find('tiny', ask('8')), long);
    assert.ok(statSync(path).size < 6_000_000);
  });
});
