/** Lets commands and agents ask about a repository whose files this process follows. */

import type { Environment } from '../../base/environment.ts';
import { ignoring } from '../../base/log.ts';
import type { IndexProgress } from '../../shared/indexing.ts';
import type { Repository } from '../../shared/repository.ts';
import { areEnginesAllowed } from './allowed.ts';
import { getOwnBuild } from './build.ts';
import { DAEMON, nameRepository, refuse } from './protocol.ts';

/**
 * Prepares for publishing repositories until this process ends: an update in the meantime must not make its old code answer commands of
 * the new one. Call it when such a process starts.
 */
export function preparePublishing(env: Environment = process.env): void {
  if (areEnginesAllowed(env)) getOwnBuild();
}

export interface PublishedRepository {
  /** Returns the open repository; null while it is not open as a command would open it. */
  open: () => Promise<Repository> | null;
  /** Returns true unless it is indexed, for which commands do not wait. */
  isReady?: () => boolean;
  /** Returns the progress of an update that this process runs for itself. */
  getProgress?: () => IndexProgress | null;
}

/**
 * Answers commands and agents about a repository whose files this process follows, until the result is closed. Does nothing if engines
 * are not allowed, or if another process answers that follows them, too.
 */
export function publishRepository(
  dataDirectory: string,
  root: string,
  { open, isReady = () => true, getProgress }: PublishedRepository,
  env: Environment = process.env,
): { close(): void } {
  let isClosed = false;
  const opening = areEnginesAllowed(env) ? listen() : Promise.resolve(null);

  async function listen() {
    const [{ createEngineMethods }, { EngineEndpoint }] = await Promise.all([
      import('./answering.ts'),
      import('./endpoint.ts'),
    ]);
    const methods = createEngineMethods({
      dataDirectory,
      use: async (asked, task) => {
        if (asked !== root) throw refuse('it has another repository open');
        const repository = await open();
        if (!repository) throw refuse('it has other options');
        return task(repository);
      },
      isReady,
      getProgress,
      handOver: () => false,
      listRoots: () => [root],
      stop: () => false,
    });
    const start = async () =>
      isClosed ? null : EngineEndpoint.open(dataDirectory, nameRepository(root), methods);
    let endpoint = await start();
    if (open() !== null) {
      const handedOver = endpoint ? false : await askToHandOver(nameRepository(root));
      if (handedOver) endpoint = await start();
      await askToHandOver(DAEMON);
    }
    endpoint?.unref();
    if (isClosed) endpoint?.close();
    return endpoint;
  }

  /** Asks a process that does not follow the files to close the repository. */
  async function askToHandOver(name: string): Promise<boolean> {
    // Imported when needed, so that commands load less.
    const { connectEngine } = await import('./connect.ts');
    const connection = await connectEngine(dataDirectory, name);
    try {
      return (await connection?.client.call('handOver', { root })) ?? false;
    } finally {
      connection?.close();
    }
  }

  opening.catch(ignoring('answer-commands'));
  return {
    close: () => {
      isClosed = true;
      opening.then((endpoint) => endpoint?.close()).catch(ignoring('answer-commands'));
    },
  };
}
