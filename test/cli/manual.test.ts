import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ensureProgram } from '../../scripts/debian.ts';
import { renderManualPage } from '../../src/cli/manual.ts';
import { makeProgram } from '../../src/cli/program.ts';

const page = await renderManualPage();
const silent = { write: () => {} };
const program = await makeProgram({ stdout: silent, stderr: silent, env: {} }, async () => {});

/** Renders the page, and returns it with the warnings of groff. */
function rendered(): { text: string; warnings: string } {
  const args = ['-man', '-ww', '-Tascii', '-P-cbou', '-rLL=200n'];
  const { stdout, stderr } = spawnSync(ensureProgram('groff'), args, {
    input: page,
    encoding: 'utf8',
  });
  return { text: stdout, warnings: stderr };
}

test('the manual page renders without a warning, and has every command with its options', () => {
  const { text, warnings } = rendered();
  assert.equal(warnings, '');
  for (const command of program.commands) {
    assert.match(text, new RegExp(`^ +locus ${command.name()}\\b`, 'm'));
    for (const { flags } of command.options) assert.ok(text.includes(flags), flags);
  }
  for (const heading of ['NAME', 'SYNOPSIS', 'OPTIONS', 'COMMANDS', 'EXIT STATUS', 'ENVIRONMENT'])
    assert.match(text, new RegExp(`^${heading}$`, 'm'));
  assert.match(text, /^ +130 +interrupted$/m);
});

test('examples stand as they are to be typed', () => {
  const { text } = rendered();
  assert.ok(
    text.includes(`gh issue view 123 --json title,body -q '.title + "\\n" + .body' | locus`),
  );
  assert.ok(text.includes('locus ./search'));
});

test('groff notices a page that is wrong', () => {
  const { stderr } = spawnSync(ensureProgram('groff'), ['-man', '-ww', '-Tascii'], {
    input: `${page}.foo\n`,
    encoding: 'utf8',
  });
  assert.match(stderr, /foo/);
});
