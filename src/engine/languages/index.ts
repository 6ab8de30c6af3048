/**
 * The languages Locus reads. A language is a folder here: `language.json` and the query files it lists, whose captures
 * are explained in their comments. The parser is generic over them; the next language is a new folder.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path/posix';
import { LocusError } from '../../shared/errors.ts';

/** What the engine knows of a language, as read from its folder. */
export interface Language {
  name: string;
  /** With the dot, lower case. */
  extensions: string[];
  /** Base names of files of this language without such an extension. */
  fileNames: string[];
  /** Module path of the tree-sitter grammar compiled to WebAssembly. */
  grammar: string;
  queries: string[];
  /** Text of all query files. */
  query: string;
  /** Changes whenever the chunks or facts of a file may: see `parserOf`. */
  parser: string;
  /** Columns a tab advances to a multiple of. */
  tabWidth: number;
  /** Between the segments of a dotted module path. */
  pathSeparator: string;
  /** What a relative import begins with, once for each level. */
  relativePrefix: string;
  /** Stem of the file that stands for its folder in imports. */
  packageFile: string;
  /** Names for the object and for the class a method is called on. */
  instanceNames: string[];
  classNames: string[];
  /** The function that gives access to the methods of base classes. */
  superCall: string;
  /** Methods that a class's text shows in full. */
  constructors: string[];
  /** Stands for the body left out of a declaration. */
  declarationMark: string;
  nodes: {
    comment: string;
    /** A plain name; `a.b`; `f()`. */
    name: string;
    member: { type: string; object: string; name: string };
    call: { type: string; callee: string };
    /** Nodes around a single expression that stand for it in a chain: `(a).b`. */
    wrappers: string[];
    /** Values of built-in types, whose methods are nobody's chunks. */
    literals: string[];
  };
  types: {
    /** Generic types that say as much as their first argument does. */
    transparent: string[];
    /** Generic types whose value is the class itself. */
    classOf: string[];
    nothing: string[];
  };
  /** Header lines of definitions for text the parser gave up on; group 1 is the name. */
  recovery: { function: string; class: string };
}

/** To be raised when a new grammar, the code of `src/engine/parse` or the tokenizer comes to give other results. */
const CHUNKER_VERSION = 2;

const folder = new URL('./', import.meta.url);

const languages: Language[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => readLanguage(new URL(`${entry.name}/`, folder)));

const byExtension = new Map(languages.flatMap((l) => l.extensions.map((e) => [e, l] as const)));
const byFileName = new Map(languages.flatMap((l) => l.fileNames.map((n) => [n, l] as const)));

/** The language of a file by its name (with forward slashes), or null for a file that Locus does not read. */
export function languageOf(path: string): Language | null {
  const name = basename(path);
  return byExtension.get(extname(name).toLowerCase()) ?? byFileName.get(name) ?? null;
}

/** True for the paths that Locus reads. */
export function accepts(path: string): boolean {
  return languageOf(path) !== null;
}

/** Git pathspecs for the paths that Locus reads. */
export function pathspecs(): string[] {
  return languages.flatMap(({ extensions, fileNames }) => [
    ...extensions.map((extension) => `:(icase)*${extension}`),
    ...fileNames.map((name) => `:(glob)**/${name}`),
  ]);
}

/** Identifies all languages together: changes with any of them. */
export function languagesDigest(): string {
  const digest = createHash('sha256');
  for (const { parser } of languages) digest.update(parser);
  return digest.digest('hex').slice(0, 12);
}

/**
 * Identifies the chunker for this path's language: grammar, queries and code. What another one made of a file must be
 * made anew. Empty for files that Locus does not read.
 */
export function parserOf(path: string): string {
  return languageOf(path)?.parser ?? '';
}

/**
 * A language by its name.
 * @throws LocusError `not-found`
 */
export function languageNamed(name: string): Language {
  const language = languages.find((l) => l.name === name);
  if (language) return language;
  const known = languages.map((l) => l.name).join(', ');
  throw new LocusError('not-found', `No language named ${name}.`, `Known languages: ${known}.`);
}

function readLanguage(url: URL): Language {
  const definition = readFileSync(new URL('language.json', url), 'utf8');
  const language: Language = JSON.parse(definition);
  language.query = language.queries
    .map((file) => readFileSync(new URL(file, url), 'utf8'))
    .join('\n');
  const digest = createHash('sha256').update(definition).update(language.query).digest('hex');
  language.parser = `${language.name} ${CHUNKER_VERSION}-${digest.slice(0, 12)}`;
  return language;
}
