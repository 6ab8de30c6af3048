import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocusError } from '../../shared/errors.ts';
import type { Repository } from '../../shared/repository.ts';
import { getIndexFolder } from '../locations.ts';

const NOTE =
  'The data directory is not writable, so this index is temporary. Set LOCUS_DATA_DIR to a writable folder to keep it.';

/**
 * Opens a repository. If it has no index and the data directory is not writable, as in the sandboxes of agents, the index is in a
 * temporary folder until the repository is closed.
 * @param open opens it, with its index in the data directory or in a folder
 * @throws as `open`
 */
export async function openOrIndexTemporarily(
  dataDirectory: string,
  root: string,
  open: (indexesFolder?: string) => Promise<Repository>,
): Promise<Repository> {
  try {
    return await open();
  } catch (error) {
    const hasFailed = error instanceof LocusError && error.code === 'bad-store';
    if (!hasFailed || existsSync(getIndexFolder(dataDirectory, root))) throw error;
    const folder = makeFolder();
    if (folder === null) throw error;
    return openIn(folder, open);
  }
}

/** Returns a new temporary folder; null if none can be made. */
function makeFolder(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), 'locus-index-'));
  } catch {
    // The caller has a better error.
    return null;
  }
}

async function openIn(
  folder: string,
  open: (indexesFolder: string) => Promise<Repository>,
): Promise<Repository> {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const close = () => {
    process.off('exit', remove);
    remove();
  };
  try {
    const opened = await open(folder);
    return {
      ...opened,
      index: async (options) => {
        const report = await opened.index(options);
        return { ...report, notes: [...report.notes, NOTE] };
      },
      close: () => opened.close().finally(close),
    };
  } catch (error) {
    close();
    throw error;
  }
}
