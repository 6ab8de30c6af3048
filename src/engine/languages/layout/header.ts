import type { Language } from '../language.ts';

/** What the line that begins a definition says. */
export interface Header {
  kind: 'function' | 'class' | 'namespace';
  name: string;
  /** The type that a method belongs to which stands outside of it; empty for all others. */
  owner: string;
}

/** The header on the line that begins at `start`, or null. */
export function headerAt(
  { text: { headers } }: Language,
  text: string,
  start: number,
): Header | null {
  return headerOf(headers, text, start);
}

/** The same, of code that is sound. */
export function soundHeaderAt(language: Language, text: string, start: number): Header | null {
  const { soundHeaders = [] } = language.text;
  return headerAt(language, text, start) ?? headerOf(soundHeaders, text, start);
}

function headerOf(headers: readonly RegExp[], text: string, start: number): Header | null {
  for (const header of headers) {
    header.lastIndex = start;
    const groups = header.exec(text)?.groups;
    const owner = groups?.owner ?? '';
    if (groups?.function !== undefined) return { kind: 'function', name: groups.function, owner };
    if (groups?.class !== undefined) return { kind: 'class', name: groups.class, owner };
    if (groups?.namespace !== undefined)
      return { kind: 'namespace', name: groups.namespace, owner };
  }
  return null;
}
