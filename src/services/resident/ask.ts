/** Asks the process that has a repository open. */
import { realFolder } from '../../base/folders.ts';
import type { Repository } from '../../shared/repository.ts';
import { createAskedRepository } from './asked-repository.ts';
import { connectEngine } from './connect.ts';
import { DAEMON, nameRepository } from './protocol.ts';

/**
 * Opens a working tree through an engine that has it open, or through the daemon.
 * @param openHere opens it in this process, if no engine can answer
 * @param onAlone called before that if no engine is running
 */
export async function openThroughEngine(
  data: string,
  folder: string,
  openHere: () => Promise<Repository>,
  onAlone: () => void,
): Promise<Repository> {
  const root = findRoot(folder);
  if (root === null) return openHere();
  const connection =
    (await connectEngine(data, nameRepository(root))) ?? (await connectEngine(data, DAEMON));
  if (connection) return createAskedRepository(connection, root, openHere);
  onAlone();
  return openHere();
}

function findRoot(folder: string): string | null {
  try {
    return realFolder(folder);
  } catch {
    // Opening it reports the error.
    return null;
  }
}
