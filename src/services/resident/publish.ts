/** Lets commands ask about a repository that this process has open for another reason. */

import type { Environment } from '../../base/environment.ts';
import { ignoring } from '../../base/log.ts';
import type { Repository } from '../../shared/repository.ts';
import { areEnginesAllowed } from './allowed.ts';
import { getOwnBuild } from './build.ts';
import { nameRepository } from './protocol.ts';

/**
 * Prepares for publishing repositories until this process ends: an update in the meantime must not make its old code answer commands of
 * the new one. Call it when such a process starts.
 */
export function preparePublishing(env: Environment = process.env): void {
  if (areEnginesAllowed(env)) getOwnBuild();
}

/**
 * Answers commands about a repository until the result is closed. Does nothing if engines are not allowed, or if another process answers
 * already.
 * @param open returns the open repository; null while it cannot answer as a command would
 */
export function publishRepository(
  dataDirectory: string,
  root: string,
  open: () => Promise<Repository> | null,
  env: Environment = process.env,
): { close(): void } {
  let isClosed = false;
  const opening = areEnginesAllowed(env) ? listen() : Promise.resolve(null);

  async function listen() {
    const [{ createEngineMethods, refuse }, { EngineEndpoint }] = await Promise.all([
      import('./answering.ts'),
      import('./endpoint.ts'),
    ]);
    if (isClosed) return null;
    const methods = createEngineMethods({
      dataDirectory,
      use: async (asked, task) => {
        if (asked !== root) throw refuse('it has another repository open');
        const repository = await open();
        if (!repository) throw refuse('it has other options');
        return task(repository);
      },
      listRoots: () => [root],
      stop: () => false,
    });
    const endpoint = await EngineEndpoint.open(dataDirectory, nameRepository(root), methods);
    endpoint?.unref();
    if (isClosed) endpoint?.close();
    return endpoint;
  }

  opening.catch(ignoring('answer-commands'));
  return {
    close: () => {
      isClosed = true;
      opening.then((endpoint) => endpoint?.close()).catch(ignoring('answer-commands'));
    },
  };
}
