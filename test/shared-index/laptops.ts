/** Machines that share an index. Each has its own data directory. */
import { dirname } from 'node:path';
import { openObjects } from '../../src/services/objects/open.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { type PublishReport, publishIndex } from '../../src/services/shared-index/publish.ts';
import { readOwnPublisher } from '../../src/services/shared-index/publisher.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { IndexReport } from '../../src/shared/indexing.ts';
import type { PullReport } from '../../src/shared/shared-index.ts';

/** Without LOCUS_PUBLISHER_KEY. */
const ENV = {};

export const keyOf = async (dataDir: string): Promise<string> =>
  (await readOwnPublisher(dataDir, ENV)).key;

/** Indexes a commit and publishes it with the data directory's own key. */
export async function publishFrom(
  root: string,
  dataDir: string,
  to: string,
  { at = 'HEAD', name, onIndexed }: { at?: string; name?: string; onIndexed?: () => void } = {},
): Promise<PublishReport> {
  const repository = await openRepository(root, {
    dataDir,
    device: 'cpu',
    revision: at,
    shared: { from: to, keys: [], name },
  });
  const objects = await openObjects(to);
  try {
    await repository.index();
    onIndexed?.();
    const { root: place, revision, databasePath } = await repository.status();
    const index = {
      root: place,
      commit: assertPresent(revision, 'a commit'),
      directory: dirname(databasePath),
    };
    return await publishIndex(index, {
      objects,
      publisher: await readOwnPublisher(dataDir, ENV),
      name,
    });
  } finally {
    objects.close();
    await repository.close();
  }
}

export interface Pulled {
  taken: PullReport | null;
  report: IndexReport;
}

/** Pulls the nearest index that one of these keys signed, and updates it. */
export async function pullInto(
  root: string,
  dataDir: string,
  from: string,
  keys: string[],
  name?: string,
): Promise<Pulled> {
  let taken: PullReport | null = null;
  const onPull = (report: PullReport | null) => {
    taken = report;
  };
  const shared = { from, keys, onPull, name };
  const repository = await openRepository(root, { dataDir, device: 'cpu', shared });
  try {
    const report = await repository.index();
    return { taken, report };
  } finally {
    await repository.close();
  }
}

/** Opens and indexes a repository, as commands do. */
export async function indexIn(root: string, dataDir: string): Promise<IndexReport> {
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  try {
    return await repository.index();
  } finally {
    await repository.close();
  }
}
