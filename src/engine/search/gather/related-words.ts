import { readFileSync } from 'node:fs';

/** A table that is learned from the commits of many repositories. It has a line for each word of issues. */
const TABLE = new URL('../../../../models/related-words-1/related-words.json', import.meta.url);
/** Beginning of a line of the table, before its word. */
const OPENING = '    "';

/** Lines of the table by their word; read at the first search, and parsed when their word is used. Parsing all takes 9 ms. */
let lines: ReadonlyMap<string, string> | undefined;

/** Returns the words of code that are related to a word of issues, with the strength of their relation: above 0, up to 1. */
export function getRelatedWords(word: string): readonly (readonly [string, number])[] {
  lines ??= readLines(readFileSync(TABLE, 'latin1'));
  const line = lines.get(word);
  if (line === undefined) return [];
  return JSON.parse(line.slice(line.indexOf('['), line.lastIndexOf(']') + 1));
}

function readLines(table: string): Map<string, string> {
  const found = table.split('\n').filter((line) => line.startsWith(OPENING));
  return new Map(
    found.map((line) => [line.slice(OPENING.length, line.indexOf('"', OPENING.length)), line]),
  );
}
