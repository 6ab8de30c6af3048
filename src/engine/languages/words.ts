import { readFileSync } from 'node:fs';

/** The words of a file of a language's folder, which are separated by white space. */
export function wordsIn(folder: URL, file: string): ReadonlySet<string> {
  return new Set(readFileSync(new URL(file, folder), 'utf8').split(/\s+/).filter(Boolean));
}
