/**
 * The figures of the bench, each with its limit and its peers. A figure is a value of a run (`locus-runs.ts`), printed beside values of
 * other runs of the same round.
 */

/** Measures of one run: seconds by the clock and of processor time, memory and disk in MB, and times of parts in seconds. */
export type Values = Readonly<Record<string, number>>;

export interface Peer {
  name: string;
  /** Run and value: `parse.cpu`. */
  of: string;
  /** Largest ratio of the figure to this peer. A larger one is marked. */
  most?: number;
}

export interface Figure {
  name: string;
  /** Run and value: `index.wall`. */
  of: string;
  unit: 's' | 'MB';
  /** Largest value. A larger one is marked. */
  limit?: number;
  peers: readonly Peer[];
}

interface Comparison {
  limit?: number;
  peers?: readonly Peer[];
  unit?: 's' | 'MB';
}

const figure = (name: string, of: string, against: Comparison = {}): Figure => {
  return { unit: 's', peers: [], ...against, name, of };
};

const node: Peer = { name: 'Node alone', of: 'node.wall' };
const ripgrep = (where: string): Peer => ({ name: 'ripgrep', of: `rg-${where}.wall` });
const ctags = (where: string): Peer => ({ name: 'Universal Ctags', of: `ctags-${where}.wall` });
const bm25 = (where: string): Peer => ({ name: 'MiniSearch (BM25)', of: `bm25-${where}.wall` });
const parsing = (of: string, most?: number): Peer => {
  return { name: 'web-tree-sitter, one thread', of, most };
};

export const FIGURES: readonly Figure[] = [
  figure('--version, package', 'version.wall', { limit: 0.12, peers: [node] }),
  figure('--version, checkout', 'version-checkout.wall', { limit: 0.25, peers: [node] }),
  figure('--help, package', 'help.wall', { limit: 0.12, peers: [node] }),
  figure('--help, checkout', 'help-checkout.wall', { limit: 0.25, peers: [node] }),

  figure('small: first search --fast', 'small-first.wall', {
    limit: 1,
    peers: [parsing('parse-small.wall'), ctags('small'), bm25('small')],
  }),
  figure('small: its processor time', 'small-first.cpu', {
    limit: 1.2,
    peers: [parsing('parse-small.cpu')],
  }),
  figure('small: its peak memory', 'small-first.memory', { unit: 'MB' }),
  figure('small: second search --fast', 'small-second.wall', {
    limit: 0.35,
    peers: [ripgrep('small')],
  }),
  figure('small: by a resident engine', 'small-resident.wall', {
    limit: 0.12,
    peers: [ripgrep('small')],
  }),

  figure('first results, being indexed', 'window-first.wall', { limit: 1 }),
  figure('indexed', 'index.wall', {
    limit: 10,
    peers: [parsing('parse-large.wall', 3), ctags('large'), bm25('large')],
  }),
  figure('indexed, processor time', 'index.cpu', {
    limit: 18,
    peers: [parsing('parse-large.cpu', 5.3)],
  }),
  figure('indexed, peak memory', 'index.memory', { unit: 'MB', limit: 400 }),
  figure('indexed, on disk', 'index.disk', {
    unit: 'MB',
    peers: [{ name: 'sources', of: 'sources.disk', most: 3 }],
  }),

  figure('search --fast', 'fast.wall', { peers: [ripgrep('large')] }),
  figure('search --fast, processor time', 'fast.cpu', {
    peers: [{ name: 'ripgrep', of: 'rg-large.cpu' }],
  }),
  figure('search, reranked', 'reranked.wall', { peers: [ripgrep('large')] }),
  figure('search, reranked, processor time', 'reranked.cpu'),
  figure('search, vectors cached', 'cached.wall', { peers: [ripgrep('large')] }),
  figure('by a resident engine: reranked', 'resident.reranked', { limit: 1 }),
  figure('by a resident engine: cached', 'resident.cached', { limit: 0.2 }),

  figure('window: opened and searched', 'window.opened', { limit: 0.4 }),
  figure('window: 50 reranked', 'window.reranked', { limit: 0.9 }),
  figure('window: 50 reranked, cached', 'window.cached', { limit: 0.1 }),
  figure('window: search, median', 'window.search', { limit: 0.05, peers: [ripgrep('large')] }),
  figure('window: search, 95th percentile', 'window.search95'),
  figure('window: edit shown, median', 'edits.wall', { limit: 0.3 }),
];
