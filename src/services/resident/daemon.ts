/** The engine that `locus search` starts: keeps repositories open for commands, and ends when nobody has asked for a while. */
import { lstatSync } from 'node:fs';
import { ignoring } from '../../base/log.ts';
import { createEngineMethods } from './answering.ts';
import { getOwnBuild, readBuild } from './build.ts';
import { EngineEndpoint } from './endpoint.ts';
import { OpenRepositories } from './open-repositories.ts';
import { isPipe } from './place.ts';
import { DAEMON } from './protocol.ts';

const MAX_TICK_MS = 5_000;

export interface DaemonOptions {
  dataDirectory: string;
  /** Repositories to open and update at once. The command that asked may have left out their history. */
  roots: readonly string[];
  /** Milliseconds without a request after which it ends. */
  idleMs: number;
  signal: AbortSignal;
}

/**
 * Answers commands until nobody has asked for `idleMs`, its data directory vanishes, Locus is updated, a command stops it, or the signal
 * aborts.
 * @returns false if another process answers already
 */
export async function runDaemon(options: DaemonOptions): Promise<boolean> {
  const { dataDirectory, idleMs, signal } = options;
  const build = getOwnBuild();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const repositories = new OpenRepositories(dataDirectory, idleMs);
  const methods = createEngineMethods({
    dataDirectory,
    use: (root, task) => repositories.use(root, task),
    onIndexed: (root, report) => repositories.noteReport(root, report),
    handOver: (root) => repositories.handOver(root),
    listRoots: () => repositories.roots,
    stop: () => {
      // After the answer was sent.
      setImmediate(end);
      return true;
    },
  });
  const endpoint = await EngineEndpoint.open(dataDirectory, DAEMON, methods);
  if (!endpoint) return false;
  const canContinue = () =>
    repositories.idleMs < idleMs && isInPlace(endpoint.address) && readBuild() === build;
  const timer = setInterval(() => canContinue() || end(), Math.min(idleMs, MAX_TICK_MS));
  signal.addEventListener('abort', () => end());
  if (signal.aborted) end();
  for (const root of options.roots)
    repositories.use(root, (opened) => opened.index()).catch(ignoring('open-repository'));
  await ended;
  clearInterval(timer);
  endpoint.close();
  await repositories.close();
  return true;
}

function isInPlace(address: string): boolean {
  return isPipe(address) || lstatSync(address, { throwIfNoEntry: false })?.isSocket() === true;
}
