/** Makes a fleet of two repositories for tests of the window: its catalog, and the answer to a search. `*.fleet.ts` test a real fleet. */

import { type FleetEntry, makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import { openCatalog } from '../../src/services/fleet/fleet.ts';
import type { SignalEvidence } from '../../src/shared/evidence.ts';
import type { FleetAnswer, FleetResult } from '../../src/shared/fleet.ts';

const NAMED: SignalEvidence = {
  family: 'names',
  title: 'Names of the issue',
  value: 1,
  measured: '1',
  contribution: 2,
  sentence: 'has the name `Cart.total` of the issue',
};
const WORDS: SignalEvidence = {
  family: 'words',
  title: 'Words of the issue',
  value: 4.2,
  measured: 'BM25 4.2',
  contribution: 1,
  sentence: 'has the words `cart`, `tax` and `total`',
};

interface Sample {
  /** Served repository and its commit. */
  shop: { name: string; url: string; commit: string };
  /** Folders of repositories on this machine, by name. */
  here?: Record<string, string>;
}

/** Returns an answer with a function of `shop/cart.py` and one of a repository on GitHub. */
export function fleetAnswer({ shop, here = {} }: Sample): FleetAnswer {
  const first: FleetResult = {
    ...chunk('shop/cart.py', 'Cart.total', 7),
    rank: 1,
    score: 3,
    evidence: { names: NAMED, words: WORDS },
    repository: shop.name,
    ref: null,
    commit: shop.commit,
    url: shop.url,
    link: null,
  };
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const second: FleetResult = {
    ...chunk('src/billing/receipt.py', 'Receipt.total_with_tax', 41),
    rank: 2,
    score: 1,
    evidence: { words: WORDS },
    repository: 'github.com/acme/billing',
    ref: 'release',
    commit,
    url: 'https://github.com/acme/billing.git',
    link: `https://github.com/acme/billing/blob/${commit}/src/billing/receipt.py#L41-L46`,
  };
  return {
    repository: { root: '', name: '2 repositories', revision: null, chunks: 900 },
    issue: {
      title: 'The total of the cart forgets the tax',
      length: 60,
      names: [],
      paths: [],
      frames: [],
      unindexed: [],
      rare: [],
      blocks: [],
      notes: [
        'Repositories on https://git.acme.test are omitted: it does not say who may read them (not-fetched).',
      ],
    },
    model: { id: 'bag-1', version: '3.0.0', device: 'cpu', ranker: 'ranker-1' },
    partial: null,
    considered: 2,
    confidence: null,
    reranking: { state: 'off', count: 0, of: 0, milliseconds: 0, models: [], note: null },
    tookMs: 40,
    results: [first, second],
    fleet: { searched: 2, hidden: 1, found: 12, engineMs: 20 },
    localFolders: here,
  };
}

function chunk(path: string, qualifiedName: string, startLine: number) {
  return {
    address: `${path}::${qualifiedName}`,
    path,
    qualifiedName,
    ordinal: 0,
    name: qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1),
    kind: 'method' as const,
    language: 'python',
    role: 'source' as const,
    startLine,
    endLine: startLine + 5,
  };
}

/** Repository of the catalog that exists. */
export const SHOP = { name: 'github.com/acme/shop', url: 'https://github.com/acme/shop.git' };

/** Returns the time three hours ago. */
const earlier = () => new Date(Date.now() - 3 * 3600_000).toISOString();

/** Fills the catalog of a fleet with an indexed repository and a missing one. */
export async function fillFleet(
  objects: string,
  shop: Pick<FleetEntry, 'name' | 'url'> = SHOP,
  commit = '0'.repeat(40),
): Promise<void> {
  const indexed: FleetEntry = { ...shop, ref: null, forge: null };
  const gone = { ...indexed, name: 'git.example.test/acme/gone', url: GONE };
  const state = { generation: 1, checks: 1, lease: null, failure: null, removing: false };
  const stored = { commit, generation: 1, model: 'bag-1', rows: 5, files: 2, at: earlier() };
  const catalog = await openCatalog({ objects });
  await catalog.add([indexed, gone]);
  await catalog.writeState(makeRepositoryKey(indexed), { ...state, indexed: stored }, null);
  await catalog.writeState(
    makeRepositoryKey(gone),
    { ...state, indexed: null, failure: 'bad-repository' },
    null,
  );
  catalog[Symbol.dispose]();
}

const GONE = 'git@git.example.test:acme/gone.git';
