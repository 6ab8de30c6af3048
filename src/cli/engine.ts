/** Opens repositories for commands: through an engine that has them open, or in this process. */
import { resolve } from 'node:path';
import { realFolder } from '../base/folders.ts';
import { getDataDirectory } from '../services/locations.ts';
import type { OpenRepositoryOptions } from '../services/open-repository.ts';
import { areEnginesAllowed } from '../services/resident/allowed.ts';
import { publishRepository } from '../services/resident/publish.ts';
import type { Repository } from '../shared/repository.ts';

export interface OpenOptions extends OpenRepositoryOptions {
  /** True if an engine of another process may answer. */
  asksEngine?: boolean;
}

export class CommandRepositories {
  readonly #process: NodeJS.Process;
  /** Data directory and folder of a repository that a daemon could keep open. */
  #unserved: { data: string; root: string } | null = null;

  constructor(process: NodeJS.Process) {
    this.#process = process;
  }

  readonly open = async (
    root: string,
    { asksEngine, ...options }: OpenOptions,
  ): Promise<Repository> => {
    const openHere = async () =>
      (await import('../services/open-repository.ts')).openRepository(root, options);
    if (!asksEngine || !areEnginesAllowed(this.#process.env) || !hasDefaults(options))
      return openHere();
    const { openThroughEngine } = await import('../services/resident/ask.ts');
    const data = getDataDirectory(options.dataDir);
    return openThroughEngine(data, root, openHere, () => {
      this.#unserved = { data, root: resolve(root) };
    });
  };

  /** Starts a daemon if no engine answered. Call it after the answer is printed. */
  readonly startDaemon = async (): Promise<void> => {
    if (!this.#unserved) return;
    const { data, root } = this.#unserved;
    (await import('../services/resident/start.ts')).startDaemon(this.#process, data, root);
  };
}

/** Answers other commands about a repository that this command has open. Does nothing if it has options that others lack. */
export function publishOpened(
  root: string,
  options: OpenOptions,
  repository: Repository,
): { close(): void } {
  if (!hasDefaults(options)) return { close: () => {} };
  const data = getDataDirectory(options.dataDir);
  return publishRepository(data, realFolder(root), { open: async () => repository });
}

/** Returns true if all options have the defaults that engines of other processes use. */
export function hasDefaults({
  revision,
  model,
  device,
  exclude,
  shared,
}: OpenRepositoryOptions): boolean {
  return [revision, model, device, exclude, shared].every((option) => option === undefined);
}
