/** Answers what commands ask about repositories that this process has open. */
import { isAbsolute } from 'node:path';
import { waitUnlessCancelled } from '../../base/cancel.ts';
import { loadManifest } from '../../engine/index.ts';
import { badInput } from '../../shared/errors.ts';
import type { IndexProgress, IndexReport, RepositoryStatus } from '../../shared/indexing.ts';
import { QUERIES } from '../../shared/queries.ts';
import { type IndexOptions, type Repository, runQuery } from '../../shared/repository.ts';
import { findModelFolder, readChosenReranker } from '../models.ts';
import { type ResidentMethods, refuse, type UpdateProgress } from './protocol.ts';

/** Milliseconds that a command waits for other work on the index before it does without the engine. */
const WAIT_MS = 2_000;
/** Milliseconds between reports of an earlier update to a caller that waits for it. */
const REPORT_MS = 250;

/** Repositories that a process has open. */
export interface RepositoryHost {
  dataDirectory: string;
  /** Runs a task with an open repository. @throws LocusError `busy` if it does not serve this one */
  use<T>(root: string, task: (repository: Repository) => Promise<T>): Promise<T>;
  /** Updates the index of the only repository, in a run that this process may share. By default it is its own. */
  update?(options: IndexOptions): Promise<IndexReport>;
  /** Returns true if a caller that does not wait can ask now; always by default. */
  isReady?(): boolean;
  /** Returns the progress of an update that this process runs for itself. */
  getProgress?: (() => IndexProgress | null) | undefined;
  /** Closes a repository after its last use, since another process follows it. Returns false if this one follows it, too. */
  handOver(root: string): boolean;
  /** Called with the report of each update of an index. */
  onIndexed?(root: string, report: IndexReport): void;
  listRoots(): string[];
  /** Ends the process after this answer. Returns false if it does more than answering. */
  stop(): boolean;
}

export function createEngineMethods(host: RepositoryHost): ResidentMethods {
  const use = <T>(root: unknown, task: (repository: Repository) => Promise<T>): Promise<T> => {
    if (typeof root !== 'string' || !isAbsolute(root))
      throw badInput('The repository is invalid.', 'Name an existing folder.');
    return host.use(root, async (repository) => {
      await checkModel(host.dataDirectory, repository);
      return task(repository);
    });
  };
  /** Progress of the latest update of each repository for another process. */
  const running = new Map<string, IndexProgress>();
  const sendEarlier = (root: string, send: (progress: UpdateProgress) => void) => {
    const progress = host.getProgress?.() ?? running.get(root);
    if (progress) send({ ...progress, isEarlier: true });
  };
  return {
    index: ({ root, history, waits }, { signal, send }) =>
      use(root, async (opened) => {
        if (!waits && host.isReady?.() === false) throw refuse('it is indexing');
        const waiting = new AbortController();
        const timer = waits
          ? setInterval(() => sendEarlier(root, send), REPORT_MS)
          : setTimeout(() => waiting.abort(), WAIT_MS);
        const either = AbortSignal.any([signal, waiting.signal]);
        const options: IndexOptions = {
          history: history !== false,
          signal: either,
          onProgress: (progress) => {
            clearTimeout(timer);
            running.set(root, progress);
            send(progress);
          },
        };
        const run = waits && host.update ? host.update(options) : opened.index(options);
        // A run that is queued behind another one does not see the signal.
        const report = await waitUnlessCancelled(run, either, 'Indexing').finally(() => {
          clearTimeout(timer);
          running.delete(root);
        });
        host.onIndexed?.(root, report);
        return report;
      }),
    query: ({ root, name, request }, { signal, send }) => {
      if (!Object.hasOwn(QUERIES, name))
        throw badInput('The query is unknown.', 'Use another one.');
      return use(root, (opened) => runQuery(opened, name, request, { signal, onProgress: send }));
    },
    handOver: ({ root }) => host.handOver(root),
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
