/** Lines of a chunk, and the words in them. */
import { findTerms, type TermOccurrence } from '../engine/index.ts';
import type { FileDetail, OutlinedChunk } from '../shared/detail.ts';

export interface CodeLine {
  /** 1-based. */
  line: number;
  text: string;
  /** Occurrences of the words, in the order of the text. */
  places: TermOccurrence[];
}

/**
 * Returns the lines of a chunk with the occurrences of words. Lines of a class or module leave out inner definitions, which are
 * chunks of their own.
 * @param words words as the index has them; an occurrence's `word` is an index into them
 */
export async function readCodeLines(
  file: FileDetail,
  chunk: OutlinedChunk,
  words: readonly string[],
): Promise<CodeLine[]> {
  const own = listOwnLines(file, chunk);
  const texts = own.map(({ text }) => text);
  const places = await findTerms(texts, words, file.path);
  return own.map((line, i) => ({ ...line, places: places[i] ?? [] }));
}

export function listOwnLines(file: FileDetail, chunk: OutlinedChunk): Omit<CodeLine, 'places'>[] {
  const { startLine, endLine, kind } = chunk;
  const canContain = kind === 'class' || kind === 'module';
  const inner = file.chunks.filter(
    (other) =>
      canContain &&
      other !== chunk &&
      other.kind !== 'module' &&
      other.startLine >= startLine &&
      other.endLine <= endLine,
  );
  return file.text
    .split(/\r?\n/)
    .slice(startLine - 1, endLine)
    .map((text, i) => ({ line: startLine + i, text }))
    .filter(({ line }) => inner.every((one) => line < one.startLine || line > one.endLine));
}

export const measureIndent = (text: string): number => text.length - text.trimStart().length;
