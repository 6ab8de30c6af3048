/** Answers what commands ask about repositories that this process has open. */
import { isAbsolute } from 'node:path';
import { waitUnlessCancelled } from '../../base/cancel.ts';
import { loadManifest } from '../../engine/index.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import type { IndexReport, RepositoryStatus } from '../../shared/indexing.ts';
import { QUERIES } from '../../shared/queries.ts';
import { type Repository, runQuery } from '../../shared/repository.ts';
import { findModelFolder, readChosenReranker } from '../models.ts';
import type { ResidentMethods } from './protocol.ts';

/** Milliseconds that a command waits for other work on the index before it does without the engine. */
const WAIT_MS = 2_000;

/** Repositories that a process has open. */
export interface RepositoryHost {
  dataDirectory: string;
  /** Runs a task with an open repository. @throws LocusError `busy` if it does not serve this one */
  use<T>(root: string, task: (repository: Repository) => Promise<T>): Promise<T>;
  /** Called with the report of each update of an index. */
  onIndexed?(root: string, report: IndexReport): void;
  listRoots(): string[];
  /** Ends the process after this answer. Returns false if it does more than answering. */
  stop(): boolean;
}

/** Returns the error after which a command opens the repository itself. */
export const refuse = (reason: string): LocusError =>
  new LocusError('busy', `The engine does not answer: ${reason}.`, 'Open the repository.');

export function createEngineMethods(host: RepositoryHost): ResidentMethods {
  const use = <T>(root: unknown, task: (repository: Repository) => Promise<T>): Promise<T> => {
    if (typeof root !== 'string' || !isAbsolute(root))
      throw badInput('The repository is invalid.', 'Name an existing folder.');
    return host.use(root, async (repository) => {
      await checkModel(host.dataDirectory, repository);
      return task(repository);
    });
  };
  return {
    index: ({ root, history }, { signal, send }) =>
      use(root, async (opened) => {
        const waiting = new AbortController();
        const timer = setTimeout(() => waiting.abort(), WAIT_MS);
        const either = AbortSignal.any([signal, waiting.signal]);
        const run = opened.index({
          history: history !== false,
          signal: either,
          onProgress: (progress) => {
            clearTimeout(timer);
            send(progress);
          },
        });
        // A run that is queued behind another one does not see the signal.
        const report = await waitUnlessCancelled(run, either, 'Indexing').finally(() =>
          clearTimeout(timer),
        );
        host.onIndexed?.(root, report);
        return report;
      }),
    query: ({ root, name, request }, { signal, send }) => {
      if (!Object.hasOwn(QUERIES, name))
        throw badInput('The query is unknown.', 'Use another one.');
      return use(root, (opened) => runQuery(opened, name, request, { signal, onProgress: send }));
    },
    describe: () => ({ pid: process.pid, roots: host.listRoots() }),
    stop: () => host.stop(),
  };
}

/** Encoder of each repository, and the reranker that was chosen when it was first used. */
const models = new WeakMap<Repository, { encoder: RepositoryStatus['model']; reranker: string }>();

/** @throws LocusError `busy` if another model was chosen since the repository was opened */
async function checkModel(dataDir: string, repository: Repository): Promise<void> {
  const reranker = readChosenReranker(dataDir);
  const used = models.get(repository) ?? {
    encoder: (await repository.status()).model,
    reranker,
  };
  models.set(repository, used);
  const { id, version } = await loadManifest(await findModelFolder({ dataDir }));
  const isSame = id === used.encoder.id && version === used.encoder.version;
  if (!isSame || reranker !== used.reranker) throw refuse('another model was chosen');
}
