import { getOrAdd } from '../../../shared/get-or-add.ts';
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
  return matchHeader(
    getOrAdd(joined, headers, () => joinPatterns(headers)),
    text,
    start,
  );
}

/** Returns the header on a line of code without syntax errors, for which more forms count. */
export function readSoundHeader(
  language: Language,
  text: string,
  start: number,
): DefinitionHeader | null {
  const { headers, soundHeaders } = language.text;
  if (!soundHeaders) return readHeader(language, text, start);
  const patterns = getOrAdd(joined, soundHeaders, () =>
    joinPatterns([...headers, ...soundHeaders]),
  );
  return matchHeader(patterns, text, start);
}

/** Joined patterns by the list of a language, which lives as long as the program. */
const joined = new Map<readonly RegExp[], RegExp[]>();

/** Joins neighboring patterns with equal flags, since a call for each takes longer than to match it. The first match counts. */
function joinPatterns(patterns: readonly RegExp[]): RegExp[] {
  const runs: RegExp[][] = [];
  for (const pattern of patterns) {
    const run = runs.at(-1);
    if (run?.[0]?.flags === pattern.flags) run.push(pattern);
    else runs.push([pattern]);
  }
  return runs.map((run) => new RegExp(run.map(({ source }) => source).join('|'), run[0]?.flags));
}

function matchHeader(
  patterns: readonly RegExp[],
  text: string,
  start: number,
): DefinitionHeader | null {
  for (const pattern of patterns) {
    pattern.lastIndex = start;
    const groups = pattern.exec(text)?.groups;
    const owner = groups?.owner ?? '';
    if (groups?.function !== undefined) return { kind: 'function', name: groups.function, owner };
    if (groups?.class !== undefined) return { kind: 'class', name: groups.class, owner };
    if (groups?.namespace !== undefined)
      return { kind: 'namespace', name: groups.namespace, owner };
  }
  return null;
}
