/** The thread in which many commits are read: what git prints takes seconds to go through. */

import { GitFailure, onGit } from '../../base/git/git.ts';
import { serveWorker, threadPort, type WorkerCall } from '../../base/worker-server.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { CommitReader } from './read-commits.ts';
import type { Commit } from './types.ts';

/** The fields of a `GitFailure`, which would arrive as any error. */
type SentGitFailure = Pick<GitFailure, 'message' | 'remedy' | 'exitCode'>;

export interface GitNotice {
  pid: number;
  runs: boolean;
}

/** The reader of each repository, which remembers what it read. */
const readers = new Map<string, CommitReader>();

const methods = {
  /** Sends the commits a few at a time. Returns why git failed; null if it did not. */
  async read(
    { root, hashes }: { root: string; hashes: readonly string[] },
    { signal, send }: WorkerCall<Commit[]>,
  ): Promise<SentGitFailure | null> {
    try {
      const reader = getOrAdd(readers, root, () => new CommitReader(root));
      for await (const commits of reader.read(hashes, signal)) send(commits);
      return null;
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      const { message, remedy, exitCode } = error;
      return { message, remedy, exitCode };
    }
  },
};

export type HistoryMethods = typeof methods;

const tell = serveWorker(threadPort(), methods);
onGit((pid, runs) => tell({ pid, runs } satisfies GitNotice));
