/** Turns a commit into a training instance. */

import { createHash } from 'node:crypto';
import { findEditedChunks } from '../../src/base/edited-chunks.ts';
import type {
  FixCandidate,
  FixPatch,
  ParsedChunk,
  ParsedSource,
  Rejection,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { CommitLine } from './format.ts';
import type { SnapshotGraph } from './snapshot-graph.ts';
import { type EditedFunction, makeTrace } from './trace.ts';

/** Maximum number of unedited chunks from each edited file. */
const SIBLINGS_PER_FILE = 4;

/** An edited file before the commit, with its edited chunks, as indices into `file.chunks`. */
interface EditedFile {
  file: ParsedSource;
  edited: number[];
  siblings: number[];
}

/** Chunks of a commit before they are stored. */
export interface Prepared {
  candidate: FixCandidate;
  patch: FixPatch;
  files: EditedFile[];
  trace: string | null;
}

/** Reads the lines of a file, given its path and blob id. */
export type ReadLines = (path: string, hash: string) => Promise<readonly string[]>;

/**
 * Finds the chunks that a commit edits, by the definition that evaluation uses, and siblings of them.
 * @param parsed the commit's files in the version before it, without those that could not be read
 */
export async function prepareCommit(
  candidate: FixCandidate,
  patch: FixPatch | undefined,
  parsed: readonly ParsedSource[],
  parts: { maxChunks: number; graph: SnapshotGraph; linesOf: ReadLines },
): Promise<Prepared | Rejection> {
  if (!patch || parsed.length < candidate.files.length) return 'unreadable';
  if (patch.formattingOnly) return 'formatting only';
  const sources = parsed.filter((file) => parts.graph.isSource(file));
  if (sources.length === 0) return 'no source edited';
  const files = sources.flatMap((file) => {
    const edited = findEditedChunks(file.chunks, patch.edits.get(file.path) ?? []);
    return editedFile(candidate, file, edited);
  });
  const count = files.reduce((sum, { edited }) => sum + edited.length, 0);
  if (count === 0) return 'no chunk edited';
  if (count > parts.maxChunks) return 'too many chunks';
  const trace = await traceInto(files, patch, parts.graph, parts.linesOf);
  return { candidate, patch, files, trace };
}

/** Stores the chunks of a prepared commit, and returns its line. `snap` is the number of the graph's snapshot. */
export function toInstance(
  { candidate, patch, files, trace }: Prepared,
  snap: number,
  graph: SnapshotGraph,
): CommitLine {
  const nodes = graph.replace(files.map(({ file }) => file));
  const pos: number[] = [];
  const sib: number[] = [];
  for (const { file, edited, siblings } of files) {
    const ofFile = assertPresent(nodes.get(file.path), `the nodes of ${file.path}`);
    const wanted = [...edited, ...siblings].map((index) => assertPresent(ofFile[index], 'a node'));
    const lines = [...graph.lines(file.path, wanted).values()];
    pos.push(...lines.slice(0, edited.length));
    sib.push(...lines.slice(edited.length));
  }
  const { commit, message, isIssue, tests } = candidate;
  const edited = new Set(pos);
  return {
    m: message,
    t: patch.testLines,
    pos: [...edited],
    sib: [...new Set(sib)].filter((line) => !edited.has(line)),
    snap,
    id: commit,
    ...(trace !== null && { trace }),
    ...(tests && { tests }),
    ...(isIssue && { issue: true }),
  };
}

function editedFile(
  { commit }: FixCandidate,
  file: ParsedSource,
  edited: ReadonlySet<ParsedChunk>,
): EditedFile[] {
  const definitions = [...file.chunks.entries()].filter(([, { kind }]) => kind !== 'module');
  const of = (yes: boolean) =>
    definitions.filter(([, chunk]) => edited.has(chunk) === yes).map(([i]) => i);
  if (of(true).length === 0) return [];
  return [{ file, edited: of(true), siblings: drawIndices(of(false), commit, file.path) }];
}

/** Draws a few indices at random, but the same in every run. */
function drawIndices(indices: readonly number[], commit: string, path: string): number[] {
  const lot = (index: number) =>
    createHash('sha1').update(`${commit}\0${path}\0${index}`).digest('hex');
  return indices
    .map((index) => ({ index, lot: lot(index) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, SIBLINGS_PER_FILE)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
}

/** Returns a traceback into the first edited function that has one. */
async function traceInto(
  files: readonly EditedFile[],
  patch: FixPatch,
  graph: SnapshotGraph,
  linesOf: ReadLines,
): Promise<string | null> {
  const inSnapshot = async (path: string) =>
    linesOf(path, assertPresent(graph.hashes.get(path), `the hash of ${path}`));
  for (const { file, edited } of files) {
    for (const index of edited) {
      const chunk = assertPresent(file.chunks[index], `chunk ${index} of ${file.path}`);
      if (chunk.kind === 'class') continue;
      const edits = patch.edits.get(file.path) ?? [];
      const lines = await linesOf(file.path, file.hash);
      const place: EditedFunction = { path: file.path, chunk, lines, edits };
      const trace = await makeTrace(place, graph, inSnapshot);
      if (trace !== null) return trace;
    }
  }
  return null;
}
