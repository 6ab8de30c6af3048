/*
 * Data to train toy encoders on, and the rows of tokens that Python trains from.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompressSync } from 'node:zlib';

const LAB = join(import.meta.dirname, '../../lab/run.ts');

/** Topics with the word that issues use and the word that code uses. Encoders have to learn these pairs. */
export const TOPICS = [
  ['price', 'cost'],
  ['login', 'session'],
  ['colour', 'palette'],
  ['folder', 'directory'],
  ['crash', 'abort'],
  ['slow', 'latency'],
  ['picture', 'image'],
  ['letter', 'mail'],
];
/** Repositories of the toy data. The last one is held out. */
export const REPOSITORIES = ['a+one', 'a+two', 'a+three', 'a+four', 'a+five', 'pallets+click'];

/**
 * Makes a mined repository: functions on each topic, and commits whose messages use the words of issues.
 * @param body body that replaces that of the first function
 */
export function mined(repo: string, number: number, body?: string): Buffer {
  const chunks: unknown[] = [];
  const commits: unknown[] = [];
  for (const [t, [said, meant]] of TOPICS.entries()) {
    for (let i = 0; i < 4; i++) {
      const name = `${meant}_${'abcd'[i]}${number}`;
      const own = `def ${name}(value):\n    """Does what it says about the ${meant} of this."""\n    return ${meant}.get(value, other${t}${i})`;
      const text = body && chunks.length === 0 ? `def ${name}(value):\n    ${body}` : own;
      commits.push({
        m: `Wrong ${said} for ${'abcd'[i]}${number} values`,
        t: [`assert ${name}(3)`],
        pos: [chunks.length],
        sib: [],
        snap: 0,
      });
      chunks.push([`lib/part${i}.py`, name, 'f', text, [1, 2], i ? [chunks.length - 1] : [], [0]]);
    }
  }
  const header = { repo, n: chunks.length, pairs: commits.length };
  const lines = [header, ...chunks, ...commits].map((line) => `${JSON.stringify(line)}\n`);
  return zstdCompressSync(lines.join(''));
}

/** Writes the toy data of all repositories to a new folder. */
export async function writeMined(folder: string): Promise<void> {
  await mkdir(folder);
  for (const [i, repo] of REPOSITORIES.entries())
    await writeFile(join(folder, `${repo}.zst`), mined(repo, i));
}

/** Writes rows of tokens. */
export async function writeRows(...options: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [LAB, 'training-rows', ...options]);
}
