import { splitSections } from '../sections/split.ts';
import type { ParsedChunk } from './types.ts';

/** Maximum length of a section's text in UTF-16 units. A page without headings may be longer. */
const MAX_TEXT = 20_000;

/** Maximum number of keys by which a section can be named. */
const MAX_KEYS = 20;

/** Cuts a file without code into its sections; none if it has no form that Locus knows. */
export function createSections(path: string, text: string): ParsedChunk[] {
  const sections = splitSections(path, text);
  if (sections.length === 0) return [];
  const lines = text.split('\n');
  const counts = new Map<string, number>();
  return sections.map((section) => {
    const { startLine, endLine } = section;
    const qualifiedName = section.path.join('.');
    const ordinal = counts.get(qualifiedName) ?? 0;
    counts.set(qualifiedName, ordinal + 1);
    const own = lines
      .slice(startLine - 1, endLine)
      .join('\n')
      .slice(0, MAX_TEXT);
    const headEnd = own.indexOf('\n');
    return {
      qualifiedName,
      ordinal,
      name: section.path.at(-1) ?? qualifiedName,
      kind: 'section',
      ...(section.keys.length > 0 && { alias: section.keys.slice(0, MAX_KEYS).join('\n') }),
      startLine,
      endLine,
      parent: -1,
      text: own,
      signatureEnd: headEnd < 0 ? own.length : headEnd,
      doc: null,
    };
  });
}
