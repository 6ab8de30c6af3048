/** Finds the chunks whose text contains a name. */
import { listTerms } from '../../lexical/tokenize.ts';
import type { RepositoryIndex } from '../../snapshot/repository-index.ts';
import type { Store } from '../../store/store.ts';

/** Maximum number of chunks whose text is read for one name. */
const MAX_READ = 400;
/** A longer name is no name. */
const MAX_NAME = 200;
/** A shorter name is often an ordinary word. */
const MIN_NAME = 3;

/** Returns the chunks and sections that contain a name as a whole word, with the line of its first occurrence. */
export function findMentions(
  index: RepositoryIndex,
  store: Store,
  name: string,
): { slot: number; line: number }[] {
  if (name.length < MIN_NAME || name.length > MAX_NAME) return [];
  const terms = listTerms(name);
  const [rarest] = terms.toSorted((a, b) => count(index, a) - count(index, b) || (a < b ? -1 : 1));
  if (rarest === undefined) return [];
  const slots = new Set<number>();
  for (const words of [index.lexical, index.sections]) {
    const query = words.createQuery(new Map([[rarest, 1]]));
    words.forEachMatch(query, (slot) => slots.add(slot));
  }
  return [...slots]
    .map((slot) => ({ slot, chunk: index.getChunk(slot) }))
    .sort(
      (a, b) =>
        (a.chunk.path < b.chunk.path ? -1 : a.chunk.path > b.chunk.path ? 1 : 0) || a.slot - b.slot,
    )
    .slice(0, MAX_READ)
    .flatMap(({ slot, chunk }) => {
      const file = index.getFile(chunk.path);
      const lines = file ? store.versions.getContent(file.versionId).split('\n') : [];
      const line = findLine(index, slot, lines, name);
      return line === null ? [] : [{ slot, line }];
    });
}

const count = (index: RepositoryIndex, term: string): number =>
  index.lexical.countMatches(term) + index.sections.countMatches(term);

/** Returns the first line of a chunk with the name, leaving out lines of chunks inside it. */
function findLine(
  index: RepositoryIndex,
  slot: number,
  lines: readonly string[],
  name: string,
): number | null {
  const { path, startLine, endLine } = index.getChunk(slot);
  const inner = index.getSlotsByPath(path).filter((other) => {
    const chunk = index.getChunk(other);
    return (
      other !== slot &&
      chunk.startLine >= startLine &&
      chunk.endLine <= endLine &&
      chunk.endLine - chunk.startLine < endLine - startLine
    );
  });
  for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
    if (!containsWord(lines[line - 1] ?? '', name)) continue;
    const isInner = inner.some((other) => {
      const chunk = index.getChunk(other);
      return chunk.startLine <= line && line <= chunk.endLine;
    });
    if (!isInner) return line;
  }
  return null;
}

function containsWord(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!isWordCharacter(line[at - 1]) && !isWordCharacter(line[at + name.length])) return true;
  return false;
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
