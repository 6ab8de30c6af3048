import { readFileSync } from 'node:fs';

/** Reads a word list, separated by white space, from a file in a language's folder. */
export function readWords(folder: URL, file: string): ReadonlySet<string> {
  return new Set(readFileSync(new URL(file, folder), 'utf8').split(/\s+/).filter(Boolean));
}
