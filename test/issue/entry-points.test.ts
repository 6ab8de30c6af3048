/** Texts of an issue that may name an entry point of a program. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';

/** Returns the tokens of one kind as text. */
function findTokens(kind: string, issue: string): string[] {
  return readIssue(issue).mentions.entryPoints.flatMap((token) => {
    if (token.kind !== kind) return [];
    assert.equal(issue.slice(token.span.start, token.span.end), token.span.text);
    if (token.kind === 'route') return [`${token.method} ${token.path}`.trim()];
    if (token.kind === 'command') return [[token.program, ...token.words].join(' ')];
    return [token.text];
  });
}

test('a path after a method, or of the own host, is a route', () => {
  const routes = (issue: string) => findTokens('route', issue);
  assert.deepEqual(routes('GET /users/42 fails.'), ['GET /users/42']);
  assert.deepEqual(routes('`POST /api/users` returns 500'), ['POST /api/users']);
  assert.deepEqual(routes('curl http://localhost:8000/api/users/'), ['/api/users/']);
  assert.deepEqual(routes('see https://github.com/owner/name/issues/1'), []);
  assert.deepEqual(routes('either/or and 1/2'), []);
});

test('words after the name of a program are a command, in code only', () => {
  const commands = (issue: string) => findTokens('command', issue);
  assert.deepEqual(commands('`shop export --format json` crashes'), ['shop export']);
  assert.deepEqual(commands('T\n\n```\n$ python manage.py send_mail --all\n```\n'), [
    'manage.py send_mail',
  ]);
  assert.deepEqual(commands('T\n\n```sh\nsudo ./bin/shop cluster create prod -v\n```\n'), [
    './bin/shop cluster create prod',
  ]);
  assert.deepEqual(commands('we export a file'), []);
});

test('quoted words are keys', () => {
  assert.deepEqual(findTokens('quoted', 'the handler of "user_saved" and `post_save`'), [
    'user_saved',
    'post_save',
  ]);
});
