import type { Candidates } from '../candidates.ts';
import type { PathMention } from '../mentions/paths.ts';
import { measureEach, type Signal } from './signal.ts';

/** 1 where the issue has the chunk's file by path or by dotted module name. */
export const path: Signal = {
  name: 'path',
  measure: (candidates) => measurePaths(candidates, isPath),
  explain: (slot, candidates) => ({ spans: spansOf(slot, candidates, isPath) }),
};

/** 1 where the issue has the base name of the chunk's file, alone or at the end of a path. */
export const baseName: Signal = {
  name: 'baseName',
  measure: (candidates) => measurePaths(candidates, isFile),
  explain: (slot, candidates) => ({ spans: spansOf(slot, candidates, isFile) }),
};

const isPath = ({ by }: PathMention) => by !== 'base name';
const isFile = ({ by }: PathMention) => by !== 'module';

function measurePaths(
  candidates: Candidates,
  counts: (mention: PathMention) => boolean,
): Float64Array {
  const files = new Set(candidates.issue.paths.filter(counts).flatMap((mention) => mention.files));
  return measureEach(candidates, (chunk) => (files.has(chunk.path) ? 1 : 0));
}

function spansOf(
  slot: number,
  { index, issue }: Candidates,
  counts: (mention: PathMention) => boolean,
) {
  const { path } = index.chunks[slot]!;
  return issue.paths
    .filter((mention) => counts(mention) && mention.files.includes(path))
    .map(({ span }) => span);
}
