/** Thread that reads many commits: parsing git's output takes seconds. */

import { GitFailure, setGitListener } from '../../base/git/git.ts';
import { createThreadPort, serveWorker, type WorkerCall } from '../../base/worker-server.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { CommitReader } from './read-commits.ts';
import type { Commit } from './types.ts';

/** Fields of a `GitFailure`, which would arrive as a plain error. */
type SentGitFailure = Pick<GitFailure, 'message' | 'remedy' | 'exitCode'>;

export interface GitNotice {
  pid: number;
  runs: boolean;
}

/** Reader of each repository, with its cached outlines. */
const readers = new Map<string, CommitReader>();

const methods = {
  /** Sends the commits a few at a time. Returns the failure of git, or null. */
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

const notify = serveWorker(createThreadPort(), methods);
setGitListener((pid, runs) => notify({ pid, runs } satisfies GitNotice));
