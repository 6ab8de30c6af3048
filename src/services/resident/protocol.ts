/** Requests of commands to a resident engine. */
import type { WorkerCall } from '../../base/worker-server.ts';
import { LocusError } from '../../shared/errors.ts';
import type { IndexProgress, IndexReport } from '../../shared/indexing.ts';
import type { QueryName } from '../../shared/queries.ts';
import type { IndexOptions } from '../../shared/repository.ts';

export interface EngineDescription {
  pid: number;
  /** Folders of the open repositories. */
  roots: string[];
}

/** Name of the engine that serves all repositories of a data directory. */
export const DAEMON = 'daemon';

/** Returns the name of the engine that serves one repository. @param root its folder, without links */
export const nameRepository = (root: string): string => `repository ${root}`;

interface EngineUpdate extends Pick<IndexOptions, 'history'> {
  root: string;
  /** True to wait for other work on the index as long as it takes. */
  waits?: boolean | undefined;
}

/** Progress of an update, or of an earlier one that it waits for. */
export type UpdateProgress = IndexProgress & { isEarlier?: boolean };

interface EngineQuery {
  root: string;
  name: QueryName;
  request: object;
}

/** Methods of an engine, for working trees that are opened with default options. `root` is a folder without links. */
export type ResidentMethods = {
  /** Updates the index, see `Repository.index`. */
  index(params: EngineUpdate, call: WorkerCall<UpdateProgress>): Promise<IndexReport>;
  query(params: EngineQuery, call: WorkerCall<IndexProgress>): Promise<unknown>;
  /**
   * Lets the caller's process, which follows the files of a repository, answer from now on: closes it here after its last use. False if
   * this process follows it, too.
   */
  handOver(params: { root: string }): boolean;
  describe(params: null): EngineDescription;
  /** Ends a process that does nothing else than answering. */
  stop(params: null): boolean;
};

/** Milliseconds between signs of life of an engine, and of silence after which a command does without it. */
export const BEAT_MS = 1_000;
export const SILENCE_MS = 10_000;
/** Requests of a connection at a time. */
export const MAX_RUNNING = 8;
/** Maximum sizes of requests and answers, in bytes. An issue has at most five million characters. */
export const MAX_REQUEST_BYTES = 32_000_000;
export const MAX_ANSWER_BYTES = 256_000_000;

/** Returns the error after which the caller opens the repository itself. */
export const refuse = (reason: string): LocusError =>
  new LocusError('busy', `The engine does not answer: ${reason}.`, 'Open the repository.');
