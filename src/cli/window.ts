/** Whether a window is meant and can be seen. */
import { statSync } from 'node:fs';
import type { Host } from './session.ts';

/** Whether a person sits at a terminal: neither end is a pipe, and no build server pretends to be one. */
export function hasTerminal({ stdin, stdout, env }: Host): boolean {
  const buildServer = env.CI !== undefined && !['', '0', 'false'].includes(env.CI);
  return stdin.isTTY === true && stdout.isTTY === true && !buildServer;
}

/** Whether the first word of a command line is a folder rather than a command: `.`, `~/src/shop`, or the name of one here. */
export function namesFolder(word: string): boolean {
  if (word.startsWith('-') || word.includes('://')) return false;
  if (word === '.' || word === '..' || /[/\\]/.test(word)) return true;
  return statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
}
