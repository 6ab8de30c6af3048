/** Reads modules from `go.mod` and `go.work`. https://go.dev/ref/mod#go-mod-file */
import { basename } from 'node:path/posix';
import type { ManifestEntry } from '../facts.ts';
import type { GraphRules } from '../language.ts';

const MODULE = 'go.mod';
const WORK = 'go.work';

/** Reader of `go.mod` and `go.work`. Entries are `module` with its path, `replace` of a path with a folder, and `use` of folders. */
export const manifests: GraphRules['manifests'] = {
  has: (name) => name === MODULE || name === WORK,
  async read(path, text) {
    const entries = [...readDirectives(text)].flatMap(createEntries);
    if (basename(path) === MODULE && !entries.some(({ kind }) => kind === 'module'))
      throw new Error('it does not say the path of its module');
    return entries;
  },
};

/** Yields directives as words. In a block, the verb of the block is put in front of each. */
function* readDirectives(text: string): Generator<string[]> {
  let verb: string | null = null;
  for (const line of text.split('\n')) {
    const words = splitWords(line);
    if (words.length === 0) continue;
    if (words[0] === ')') verb = null;
    else if (verb !== null) yield [verb, ...words];
    else if (words[1] === '(') verb = words[0] ?? '';
    else yield words;
  }
  if (verb !== null) throw new Error(`the block of ${verb} does not end`);
}

/** Splits a line, without its comment, into unquoted words. */
function splitWords(line: string): string[] {
  const comment = line.indexOf('//');
  const code = comment < 0 ? line : line.slice(0, comment);
  return code.split(/\s/).filter(Boolean).map(unquote);
}

function unquote(word: string): string {
  const quote = word[0];
  const isQuoted = word.length > 1 && (quote === '"' || quote === '`') && word.endsWith(quote);
  return isQuoted ? word.slice(1, -1) : word;
}

function createEntries([verb, ...words]: string[]): ManifestEntry[] {
  const [first] = words;
  if (first === undefined) return [];
  if (verb === 'module' || verb === 'use') return [{ kind: verb, name: '', to: [first] }];
  const folder = words[words.indexOf('=>') + 1];
  // A target that is not a path is another module from a registry.
  if (verb !== 'replace' || !words.includes('=>') || !folder?.startsWith('.')) return [];
  return [{ kind: 'replace', name: first, to: [folder] }];
}
