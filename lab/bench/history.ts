/**
 * Measures the cost of a repository's history: `node lab/bench/history.ts [--newest] [--whole] <clone> ...`
 *
 * Measures the commits that an index stores and, without `--newest`, also all commits: the time to read them from git, their
 * stored size, the index in memory, and the time to find the hundred most similar to a title. The newest subjects are the titles.
 * `--whole` reads the commits with whole files, as the engine does for a few commits. The digest covers everything read.
 */

import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  type Commit,
  CommitReader,
  countQueryTerms,
  HistoryIndex,
  listCommits,
  MAX_COMMITS,
  readCommits,
} from '../../src/engine/lab.ts';

const BATCH = 1_000;
const TITLES = 200;

const { values, positionals } = parseArgs({
  options: { newest: { type: 'boolean' }, whole: { type: 'boolean' } },
  allowPositionals: true,
});
const limits = values.newest ? [MAX_COMMITS] : [MAX_COMMITS, Number.POSITIVE_INFINITY];

for (const clone of positionals) {
  const listing = performance.now();
  const hashes = await listCommits(clone, 'HEAD', 1_000_000);
  console.log(`${clone}: ${hashes.length} commits, listed in ${seconds(listing)} s`);
  for (const limit of limits) await measure(clone, hashes, limit);
}

async function measure(clone: string, hashes: readonly string[], limit: number): Promise<void> {
  const reading = performance.now();
  const byOutlines = new CommitReader(clone);
  const read = (batch: readonly string[]) =>
    values.whole ? readCommits(clone, batch) : byOutlines.read(batch);
  const commits: Commit[] = [];
  let looked = 0;
  for (; looked < hashes.length && commits.length < limit; looked += BATCH) {
    const batch = hashes.slice(looked, looked + BATCH);
    for await (const some of read(batch)) {
      commits.push(...some.filter(({ edits }) => edits.length > 0));
    }
  }
  const took = seconds(reading);
  const bytes = commits.reduce((sum, { message, edits }) => {
    return sum + message.length + JSON.stringify(edits).length;
  }, 0);
  const building = process.cpuUsage();
  const index = HistoryIndex.fromCommits(commits);
  const built = process.cpuUsage(building).user / 1000;
  const titles = index.commits.slice(0, TITLES).map(({ subject }) => countQueryTerms(subject));
  const searching = process.cpuUsage();
  for (const title of titles) index.findSimilar(title, 100);
  const search = process.cpuUsage(searching).user / 1000 / titles.length;
  console.log(
    `  ${commits.length} that count, of ${Math.min(looked, hashes.length)}: read in ${took} s, ` +
      `${(bytes / 1e6).toFixed(1)} MB, indexed in ${built.toFixed(0)} ms, searched in ${search.toFixed(2)} ms (CPU), digest ${computeDigest(commits)}`,
  );
}

function computeDigest(commits: readonly Commit[]): string {
  const sorted = commits.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
