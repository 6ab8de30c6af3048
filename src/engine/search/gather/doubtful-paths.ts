/** Notes on paths and lines of an issue that this version of the repository does not have. */
import { quoteText } from '../../../shared/quote.ts';
import type { Issue } from '../../issue/issue.ts';
import { findLanguage } from '../../languages/index.ts';
import type { PathMention } from './locations.ts';

/** Maximum number of notes of each kind. */
const MAX_NOTES = 3;
const OTHER_VERSION = 'The issue may be about another version.';

/** Returns the note on a file that an issue mentions and the repository does not have. */
export const describeMissingFile = (path: string): string =>
  `${quoteText(path)} is not in this repository. ${OTHER_VERSION}`;

/** Returns true for a note of `describeMissingFile`. */
export const isMissingFileNote = (note: string): boolean =>
  note.endsWith(` is not in this repository. ${OTHER_VERSION}`);

/**
 * Describes source files that a person mentions by a relative path and that no indexed file fits, if the repository has their folder.
 * Other paths are often about other projects.
 */
export function describeMissingFiles(
  { mentions }: Issue,
  resolved: readonly PathMention[],
  paths: Iterable<string>,
): string[] {
  const starts = new Set(resolved.map(({ span }) => span.start));
  const missing = mentions.paths.filter(
    ({ kind, span, segments, isProse, link }) =>
      kind === 'file' &&
      isProse &&
      !link &&
      segments.length > 1 &&
      /^[\w.]/.test(span.text) &&
      !starts.has(span.start) &&
      findLanguage(span.text) !== null,
  );
  const folders = new Map(
    missing.map(({ span, segments }) => [span.text, `/${segments.slice(0, -1).join('/')}/`]),
  );
  if (folders.size === 0) return [];
  const existing = Array.from(paths, (path) => `/${path}`);
  return [...folders]
    .filter(([, folder]) => existing.some((path) => path.includes(folder)))
    .slice(0, MAX_NOTES)
    .map(([text]) => describeMissingFile(text));
}

/** Describes mentioned lines that no definition of their file contains, such as lines beyond its end. */
export function describeMissingLines(resolved: readonly PathMention[]): string[] {
  const notes = resolved.flatMap(({ lines, files: [file] }) => {
    if (file === undefined || lines === null || lines.slots.length > 0) return [];
    const { first, last } = lines;
    const which = first === last ? `line ${first}` : `lines ${first} to ${last}`;
    return `No definition in ${quoteText(file)} contains ${which}. ${OTHER_VERSION}`;
  });
  return [...new Set(notes)].slice(0, MAX_NOTES);
}
