/**
 * Measures the ranking in a language, compared with BM25F alone and with a search that a person would type into ripgrep:
 * `npm run lab -- floor --dataset go.jsonl --repos ~/clones [--data-dir <folder>] [--samples go.samples]`
 *
 * The third system lists the functions that contain the rarest word of the title that any file has, in file order. Texts that a
 * language model has rewritten (`rewritten` in the instance's id) have a separate table.
 */

import {
  buildQueryWords,
  countQueryTerms,
  explain,
  getIssueSyntaxes,
  rankChunks,
  readIssue,
  resolveIssue,
  type SearchIndex,
  summarizeChunk,
} from '../../src/engine/lab.ts';
import { isCandidateChunk } from '../../src/services/evaluation/evaluate.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { type ChunkIdentity, computeRanks } from '../../src/services/evaluation/metrics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { MAX_RESULTS } from '../../src/shared/limits.ts';
import { collect, readOptions } from '../ranker/command.ts';
import type { Snapshot } from '../ranker/samples.ts';
import { formatWithInterval, isRewritten, type Measured, SHOWN } from './measured.ts';

const SYSTEMS: Record<string, (snapshot: Snapshot) => ChunkIdentity[]> = {
  'ripgrep, rarest word of the title': rankByRarestWord,
  'BM25F alone': rankByWords,
  Locus: rankByLocus,
};

const measured = await collect<Measured>(readOptions('floor'), (snapshot) => {
  const edited = snapshot.edited.map((slot) => summarizeChunk(snapshot.index.getChunk(slot)));
  const counted = edited.filter(isCandidateChunk);
  if (counted.length === 0) return [];
  const ranks = Object.fromEntries(
    Object.entries(SYSTEMS).map(([name, rank]) => [name, computeRanks(counted, rank(snapshot))]),
  );
  return [{ instance: snapshot.instance.instance_id, repo: snapshot.instance.repo, ranks }];
});
print(
  'As people wrote them',
  measured.filter((one) => !isRewritten(one)),
);
print('Rewritten', measured.filter(isRewritten));

function print(title: string, issues: readonly Measured[]): void {
  if (issues.length === 0) return;
  const repositories = new Set(issues.map(({ repo }) => repo)).size;
  console.log(`\n${title}: ${issues.length} issues of ${repositories} repositories\n`);
  const rows = Object.keys(SYSTEMS).map((system) => [
    system,
    ...SHOWN.map((metric) =>
      formatWithInterval(
        issues.map(({ ranks }) => metric.of(assertPresent(ranks[system], 'a system'))),
      ),
    ),
  ]);
  console.log(formatMarkdownTable(['', ...SHOWN.map(({ name }) => name)], rows).join('\n'));
}

function rankByLocus({ index, queryVectors, instance }: Snapshot): ChunkIdentity[] {
  const issue = instance.problem_statement;
  const kinds = ['function' as const, 'method' as const, 'class' as const];
  const request = { issue, limit: MAX_RESULTS, tests: 'exclude' as const, kinds };
  return explain(rankChunks(index, queryVectors, request)).results;
}

function rankByWords({ index, instance }: Snapshot): ChunkIdentity[] {
  const issue = resolveIssue(
    readIssue(instance.problem_statement, getIssueSyntaxes(index.getLanguages())),
    index,
  );
  const scores = index.lexical.score(buildQueryWords(issue, index.lexical).issue);
  return listCandidates(index)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, MAX_RESULTS)
    .map((slot) => summarizeChunk(index.getChunk(slot)));
}

function rankByRarestWord({ index, instance, store }: Snapshot): ChunkIdentity[] {
  const { title } = readIssue(instance.problem_statement);
  const texts = new Map(
    listCandidates(index).map((slot) => [
      slot,
      store.versions.getChunkText(index.getChunk(slot).id).text.toLowerCase(),
    ]),
  );
  const found = [...countQueryTerms(title).keys()]
    .map((word) => [...texts].filter(([, text]) => text.includes(word)).map(([slot]) => slot))
    .filter((slots) => slots.length > 0)
    .toSorted((a, b) => a.length - b.length);
  return sortInFileOrder(found[0] ?? [], index).map((slot) => summarizeChunk(index.getChunk(slot)));
}

function listCandidates(index: SearchIndex): number[] {
  return [...index.chunks].flatMap((chunk, slot) =>
    chunk && isCandidateChunk(chunk) ? [slot] : [],
  );
}

function sortInFileOrder(slots: readonly number[], index: SearchIndex): number[] {
  return slots.toSorted((a, b) => {
    const [one, other] = [index.getChunk(a), index.getChunk(b)];
    return one.path < other.path ? -1 : one.path > other.path ? 1 : one.startLine - other.startLine;
  });
}
