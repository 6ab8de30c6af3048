/** Runs of other programs in each round, which the figures of Locus are compared with. */
import { join } from 'node:path';
import type { Values } from './figures.ts';
import type { Bench, Missing, PeerRun } from './run.ts';
import { runCommand, timeCommand } from './timed.ts';

/** Runs a script of `peers`, which measures its own work. */
async function runPeer(bench: Bench, script: string, args: readonly string[]): Promise<Values> {
  const words = [process.execPath, join(import.meta.dirname, 'peers', script), ...args];
  const { output } = await timeCommand(words, { scratch: bench.scratch });
  return JSON.parse(output);
}

/** Runs another program, or says how to install it. */
async function runProgram(
  bench: Bench,
  words: readonly string[],
  install: string,
  cwd: string,
): Promise<Values | Missing> {
  try {
    // ripgrep exits with 1 if nothing matches.
    return (await timeCommand(words, { scratch: bench.scratch, cwd, accepts: [1] })).values;
  } catch (error) {
    // `time` exits with 127 if there is no such program.
    if (Object(error).code === 127) return { missing: `not installed: ${install}` };
    throw error;
  }
}

export const PEER_RUNS: readonly PeerRun[] = [
  { id: 'node', measure: (bench) => runCommand(bench, [process.execPath, '-e', '0']) },
  { id: 'sources', rounds: 1, measure: async ({ large }) => ({ disk: large.megabytes }) },
  ...(['small', 'large'] as const).flatMap((what): PeerRun[] => [
    {
      id: `parse-${what}`,
      measure: (bench) => runPeer(bench, 'parse.ts', [bench[what].root, bench[what].list]),
    },
    {
      id: `bm25-${what}`,
      measure: (bench) =>
        runPeer(bench, 'bm25.ts', [bench[what].root, bench[what].list, bench[what].issue]),
    },
    {
      id: `ctags-${what}`,
      measure: (bench) =>
        runProgram(
          bench,
          [bench.ctags, '-f', join(bench.scratch, 'tags'), '-L', bench[what].list],
          'apt-get install universal-ctags',
          bench[what].root,
        ),
    },
    {
      id: `rg-${what}`,
      measure: (bench) =>
        runProgram(
          bench,
          [bench.ripgrep, '-n', '-i', '-w', '-F', '-e', bench[what].word, '.'],
          'apt-get install ripgrep',
          bench[what].root,
        ),
    },
  ]),
];
