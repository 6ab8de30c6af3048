import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReasonToSkip } from '../../e2e/electron-program.ts';

const HOSTED = { GITHUB_ACTIONS: 'true' };

test('the desktop app is tested wherever Electron is installed and there is a screen', () => {
  const screen = { DISPLAY: ':0' };
  assert.equal(findReasonToSkip('/electron', screen), false);
  assert.equal(findReasonToSkip('/electron', { ...screen, ...HOSTED }), false);
  assert.match(String(findReasonToSkip(null, screen)), /not installed \(npx install-electron\)/);
});

test('hosted CI fails without Electron or a screen, instead of skipping', () => {
  assert.throws(() => findReasonToSkip(null, HOSTED), /must be tested here, but Electron is not/);
  if (process.platform !== 'linux') return;
  assert.match(String(findReasonToSkip('/electron', {})), /there is no screen/);
  assert.throws(() => findReasonToSkip('/electron', HOSTED), /but there is no screen/);
});
