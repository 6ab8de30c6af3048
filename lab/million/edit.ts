/** Measures how soon an edit is searchable. */
import { readFileSync, writeFileSync } from 'node:fs';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { splitMember } from '../../src/shared/workspace.ts';
import type { WindowClient } from './window.ts';

/**
 * Adds a comment to a function of open folders, and returns the seconds until a search shows it. Searches as a window does: when it
 * is notified of a change. Restores the file.
 */
export async function timeEdit(window: WindowClient, roots: readonly string[]): Promise<number> {
  // Only letters, since a word with digits is split, and some function may have the parts.
  const letters = String(Date.now()).replace(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));
  const word = `zyzzyva${letters}`;
  const { results, repositories } = await window.search('parse the value and return it', 100);
  const target = assertPresent(
    results.find(({ kind }) => kind === 'function' || kind === 'method'),
    'a function to edit',
  );
  const own = repositories?.find(({ name }) => name === target.repository);
  const place = splitMember(target.path, (name) => name === own?.name);
  const path = `${own?.root ?? roots[0]}/${place?.path ?? target.path}`;
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const header = assertPresent(lines[target.endLine - 1], 'the last line of a function');
  const comment = /\.(?:py|rb)$/.test(path) ? '#' : '//';
  const [indent] = /^\s*/.exec(header) ?? [''];
  lines.splice(target.endLine - 1, 0, `${indent}${comment} ${word}`);
  try {
    const start = performance.now();
    let change = window.waitForUpdate();
    writeFileSync(path, lines.join('\n'));
    for (;;) {
      await change;
      change = window.waitForUpdate();
      // With the name, since another repository may match the word alone better.
      const { results } = await window.search(`\`${target.qualifiedName}\` ${word}`, 100);
      const found = results.some(({ address }) => address === target.address);
      if (found && (await window.readCode(target.address)).includes(word))
        return (performance.now() - start) / 1000;
    }
  } finally {
    writeFileSync(path, text);
  }
}
