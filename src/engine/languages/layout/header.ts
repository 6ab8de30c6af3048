import type { Language } from '../language.ts';

/** First line of a definition. */
export interface DefinitionHeader {
  kind: 'function' | 'class' | 'namespace';
  name: string;
  /** Type of a method that is defined outside of it; else empty. */
  owner: string;
}

/** Returns the header on the line that begins at `start`, or null. */
export function readHeader(
  { text: { headers } }: Language,
  text: string,
  start: number,
): DefinitionHeader | null {
  return matchHeader(headers, text, start);
}

/** Returns the header on a line of code without syntax errors, for which more forms count. */
export function readSoundHeader(
  language: Language,
  text: string,
  start: number,
): DefinitionHeader | null {
  const { soundHeaders = [] } = language.text;
  return readHeader(language, text, start) ?? matchHeader(soundHeaders, text, start);
}

function matchHeader(
  headers: readonly RegExp[],
  text: string,
  start: number,
): DefinitionHeader | null {
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
