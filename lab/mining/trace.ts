/**
 * Makes synthetic tracebacks. Issues often quote one; commit messages hardly ever do. A traceback here ends at the first
 * line that a commit edits, and leads there through calls of the call graph, with their lines from the snapshot.
 */

import type { LineEdit } from '../../src/base/edited-chunks.ts';
import { findLanguage, type ParsedChunk, type TracebackFrame } from '../../src/engine/lab.ts';
import type { SnapshotGraph } from './snapshot-graph.ts';

/** Maximum number of frames above the edited chunk. */
const MAX_CALLERS = 4;

/** A function or method that a commit edits, in the version before it. */
export interface EditedFunction {
  path: string;
  chunk: ParsedChunk;
  /** Lines of the file. */
  lines: readonly string[];
  edits: readonly LineEdit[];
}

/**
 * Returns a traceback through callers to an edited function, in the format of its language. Returns null if the function has
 * no line where it can end.
 * @param linesOf reads the lines of a file in the snapshot
 */
export async function makeTrace(
  { path, chunk, lines, edits }: EditedFunction,
  graph: SnapshotGraph,
  linesOf: (path: string) => Promise<readonly string[]>,
): Promise<string | null> {
  const form = findLanguage(path)?.traceback;
  const line = form && findFirstStatement(form.statement, chunk, lines, edits);
  if (!line) return null;
  const frames = [makeFrame(path, line, chunk, lines)];
  const seen = new Set<number>();
  let node = graph.find(path, chunk.qualifiedName, chunk.ordinal);
  while (node !== undefined && frames.length <= MAX_CALLERS) {
    seen.add(node);
    // The first caller by path and line, so that every run chooses the same one.
    const call = graph.callsTo(node).find(({ caller }) => !seen.has(caller));
    if (!call) break;
    const caller = graph.node(call.caller);
    frames.unshift(makeFrame(caller.path, call.line, caller, await linesOf(caller.path)));
    node = call.caller;
  }
  return form.write(frames, findRaised(form.raise, chunk, lines));
}

/** Returns the first edited line of code after the header of the chunk. An insertion counts as the line before it. */
function findFirstStatement(
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

function makeFrame(
  path: string,
  line: number,
  { qualifiedName }: { qualifiedName: string },
  lines: readonly string[],
): TracebackFrame {
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  return { path, line, name, text: (lines[line - 1] ?? '').trim() };
}

/** Returns the first exception that the function itself raises, without a message. */
function findRaised(
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
