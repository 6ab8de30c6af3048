/**
 * Writes the commits before issues, with the functions that they edited, to fit an adapter of embeddings to a repository:
 * `npm run -s lab -- adapter-commits --dataset <jsonl> --repos <folder of clones> --out <folder> [--most 1000]`
 *
 * Writes one `<owner>__<name>.jsonl` for each repository: a line for each commit (`PastFix`), oldest first, then a line for each
 * issue with the numbers of the commits that its base commit can reach. `--most` commits are spread evenly over the history of
 * the newest base commit.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findEditedChunks } from '../../src/base/edited-chunks.ts';
import {
  type EncoderDocument,
  type FixCandidate,
  type FixPatch,
  judgeHistory,
  listCommits,
  openTree,
  type ParsedChunk,
  type ParsedSource,
  ParserPool,
  readFixPatches,
} from '../../src/engine/lab.ts';
import { type EvaluationInstance, getCloneName } from '../../src/services/evaluation/dataset.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { readOptions, writeByRepository } from '../data/by-repository.ts';
import { DEFAULTS } from '../mining/defaults.ts';
import { parseFiles } from '../mining/snapshot-graph.ts';

/** A commit that changed functions. Documents have no callees, since the call graph of past versions is unknown. */
export interface PastFix {
  commit: string;
  message: string;
  edited: EncoderDocument[];
  /** Unedited functions of the same files. */
  siblings: EncoderDocument[];
}

/** An issue with the numbers of its past commits, oldest first. */
export interface IssuePast {
  instance: string;
  past: number[];
}

/** Number of commits whose files are parsed together. */
const BATCH = 32;
const MAX_SIBLINGS = 2;
const ALL = 1_000_000;

const options = readOptions('adapter-commits');
const most = Number(options.most ?? '1000');

await writeByRepository(options, async (instances, line) => {
  const root = join(options.repos, getCloneName(assertPresent(instances[0], 'an issue').repo));
  const reachable = new Map<string, Set<string>>();
  for (const { base_commit } of instances)
    reachable.set(base_commit, new Set(await listCommits(root, base_commit, ALL)));
  const [newest] = [...reachable].sort((a, b) => b[1].size - a[1].size);
  const head = assertPresent(newest, 'a base commit')[0];
  const fixes = await listFixes(root, head);
  for (const fix of fixes) line(fix);
  for (const issue of instances) line(describePast(issue, fixes, reachable));
  console.error(`${assertPresent(instances[0], 'an issue').repo}: ${fixes.length} commits`);
});

function describePast(
  { instance_id, base_commit }: EvaluationInstance,
  fixes: readonly PastFix[],
  reachable: ReadonlyMap<string, ReadonlySet<string>>,
): IssuePast {
  const before = assertPresent(reachable.get(base_commit), 'the ancestors of a commit');
  const past = fixes.flatMap(({ commit }, i) => (before.has(commit) ? [i] : []));
  return { instance: instance_id, past };
}

async function listFixes(root: string, head: string): Promise<PastFix[]> {
  const { minMessage, maxFiles, requireTests } = DEFAULTS;
  const filter = { minMessage, maxFiles, requireTests };
  const judged = await judgeHistory(root, head, { filter, issues: null });
  const candidates = spreadEvenly(judged.candidates.toReversed());
  const tree = await openTree(root, { revision: head });
  const pool = new ParserPool();
  try {
    const fixes: PastFix[] = [];
    for (let start = 0; start < candidates.length; start += BATCH) {
      const batch = candidates.slice(start, start + BATCH);
      const patches = await readFixPatches(root, batch);
      const entries = batch.flatMap(({ files }) =>
        files.map(({ path, before }) => ({ path, hash: before, size: 0 })),
      );
      const parsed = await parseFiles(tree, pool, entries);
      const byVersion = new Map(parsed.map((file) => [`${file.hash} ${file.path}`, file]));
      for (const candidate of batch) {
        const files = candidate.files.flatMap(
          ({ path, before }) => byVersion.get(`${before} ${path}`) ?? [],
        );
        fixes.push(...makeFix(candidate, patches.get(candidate.commit), files));
      }
    }
    return fixes;
  } finally {
    await pool.close();
    await tree.close();
  }
}

function spreadEvenly(all: readonly FixCandidate[]): FixCandidate[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) =>
    assertPresent(all[Math.floor((i * all.length) / most)], 'a commit'),
  );
}

function makeFix(
  { commit, message }: FixCandidate,
  patch: FixPatch | undefined,
  files: readonly ParsedSource[],
): PastFix[] {
  if (!patch || patch.formattingOnly) return [];
  const edited: EncoderDocument[] = [];
  const siblings: EncoderDocument[] = [];
  for (const file of files) {
    const changed = findEditedChunks(file.chunks, patch.edits.get(file.path) ?? []);
    for (const chunk of file.chunks) {
      if (chunk.kind !== 'module')
        (changed.has(chunk) ? edited : siblings).push(toDocument(file.path, chunk));
    }
  }
  if (edited.length === 0 || edited.length > DEFAULTS.maxChunks) return [];
  return [{ commit, message, edited, siblings: drawSome(siblings, commit) }];
}

function toDocument(path: string, { text, signatureEnd, doc }: ParsedChunk): EncoderDocument {
  return { path, text, signatureEnd, doc, callees: [] };
}

/** Draws documents at random, but the same in every run. */
function drawSome(documents: readonly EncoderDocument[], seed: string): EncoderDocument[] {
  const lot = (i: number) => createHash('sha1').update(`${seed}\0${i}`).digest('hex');
  return documents
    .map((document, i) => ({ document, lot: lot(i) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, MAX_SIBLINGS)
    .map(({ document }) => document);
}
