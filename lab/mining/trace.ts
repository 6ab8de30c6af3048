/**
 * Synthetic tracebacks. Issues often quote one; commit messages hardly ever do. A traceback here ends at the first line
 * that a commit edits and gets there through calls of the call graph, with their lines as they are in the snapshot.
 */

import type { LineEdit } from '../../src/base/edited-chunks.ts';
import { findLanguage, type ParsedChunk, type TracebackFrame } from '../../src/engine/lab.ts';
import type { SnapshotGraph } from './snapshot-graph.ts';

/** Frames above the edited chunk at most. */
const MAX_CALLERS = 4;

/** A function or method that a commit edits, in the version before. */
export interface EditedFunction {
  path: string;
  chunk: ParsedChunk;
  /** The file's lines. */
  lines: readonly string[];
  edits: readonly LineEdit[];
}

/**
 * A traceback, in the form of the function's language, through callers to an edited function, or null where there is no
 * such place.
 * @param linesOf a file's lines in the snapshot
 */
export async function traceTo(
  { path, chunk, lines, edits }: EditedFunction,
  graph: SnapshotGraph,
  linesOf: (path: string) => Promise<readonly string[]>,
): Promise<string | null> {
  const form = findLanguage(path)?.traceback;
  const line = form && firstStatement(form.statement, chunk, lines, edits);
  if (!line) return null;
  const frames = [frame(path, line, chunk, lines)];
  const seen = new Set<number>();
  let node = graph.find(path, chunk.qualifiedName, chunk.ordinal);
  while (node !== undefined && frames.length <= MAX_CALLERS) {
    seen.add(node);
    // The first caller by path and line: any would do, as long as it is the same in every run.
    const call = graph.callsTo(node).find(({ caller }) => !seen.has(caller));
    if (!call) break;
    const caller = graph.node(call.caller);
    frames.unshift(frame(caller.path, call.line, caller, await linesOf(caller.path)));
    node = call.caller;
  }
  return form.write(frames, raisedBy(form.raise, chunk, lines));
}

/** The first edited line in the chunk that holds code beyond its header; an insertion counts as the line before it. */
function firstStatement(
  statement: RegExp,
  { startLine, endLine, text, signatureEnd }: ParsedChunk,
  lines: readonly string[],
  edits: readonly LineEdit[],
): number | null {
  const body = text.slice(signatureEnd).trim() === '' ? startLine : startLine + 1;
  for (const { first, last } of edits) {
    const from = last < first ? first - 1 : first;
    for (let line = Math.max(from, body); line <= Math.min(Math.max(last, from), endLine); line++) {
      if (statement.test(lines[line - 1] ?? '')) return line;
    }
  }
  return null;
}

function frame(
  path: string,
  line: number,
  { qualifiedName }: { qualifiedName: string },
  lines: readonly string[],
): TracebackFrame {
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  return { path, line, name, text: (lines[line - 1] ?? '').trim() };
}

/** The exception that the function itself raises first, without a message. */
function raisedBy(
  raise: RegExp,
  { startLine, endLine }: ParsedChunk,
  lines: readonly string[],
): string | null {
  for (const line of lines.slice(startLine - 1, endLine)) {
    const [, name] = raise.exec(line) ?? [];
    if (name) return name;
  }
  return null;
}
