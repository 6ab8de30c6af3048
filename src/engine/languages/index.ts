/** The languages Locus reads: each is an adapter in a folder here. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path/posix';
import type { LanguageInfo } from '../../shared/chunk.ts';
import { LocusError } from '../../shared/errors.ts';
import { packageKindOf } from '../packages/kinds.ts';
import { c, cpp } from './c/index.ts';
import { csharp } from './csharp/index.ts';
import { go } from './go/index.ts';
import type { IssueSyntax } from './issue-syntax.ts';
import { java } from './java/index.ts';
import { javascript, tsx, typescript } from './javascript/index.ts';
import { kotlin } from './kotlin/index.ts';
import type { Language } from './language.ts';
import { php } from './php/index.ts';
import { python } from './python/index.ts';
import { ruby } from './ruby/index.ts';
import { rust } from './rust/index.ts';

/** To be raised when the code of `src/engine/parse`, of what languages share here or of the tokenizer comes to give other results. */
const CHUNKER_VERSION = 6;

/** The end of the names of queries that nothing of a chunk is made of. */
const COLOURS_ONLY = 'tokens.scm';

/** Of manifests that are of no language: nothing of them is parsed when they are indexed. */
const MANIFEST_PARSER = 'manifest 1';

const byName = new Map<string, Language>();
const byExtension = new Map<string, Language>();
const byFileName = new Map<string, Language>();
const parsers = new Map<Language, string>();

for (const language of [
  python,
  go,
  java,
  javascript,
  typescript,
  tsx,
  rust,
  c,
  cpp,
  csharp,
  php,
  kotlin,
  ruby,
])
  addLanguage(language);

/**
 * Makes a language known in this thread, before anything else asks for one.
 * @throws Error when another has its name, an extension or a file's name
 */
export function addLanguage(language: Language): void {
  const { name, files } = language;
  claim(byName, name, language);
  for (const extension of files.extensions) claim(byExtension, extension, language);
  for (const fileName of files.names) claim(byFileName, fileName, language);
}

function claim(known: Map<string, Language>, key: string, language: Language): void {
  const other = known.get(key);
  if (other) throw new Error(`${key} is ${other.title} as well as ${language.title}`);
  known.set(key, language);
}

/** All languages, in the order they were added. */
export function languages(): Iterable<Language> {
  return byName.values();
}

/** Returns all languages as the window and `locus languages` show them. */
export function listLanguages(): LanguageInfo[] {
  return Array.from(languages(), ({ name, title, monaco, files }) => {
    return { name, title, monaco, index: files.index };
  });
}

/** The language of a file by its name (with forward slashes), or null for a file that Locus does not read. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return byExtension.get(extensionOf(name).toLowerCase()) ?? byFileName.get(name) ?? null;
}

/** `.py` of a file's name; empty where it has none. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

/** The language whose modules a file describes, by its name; null for all files but manifests. */
export function manifestLanguageOf(path: string): Language | null {
  const name = basename(path);
  return byName.values().find(({ graph }) => graph.manifests?.has(name)) ?? null;
}

/** True for the paths that an index holds: what Locus reads, and the manifests that say how it hangs together. */
export function indexes(path: string): boolean {
  return accepts(path) || isManifest(path);
}

/** Whether a file is a manifest, of modules or of a package, and no source. */
export function isManifest(path: string): boolean {
  if (accepts(path)) return false;
  return manifestLanguageOf(path) !== null || packageKindOf(path) !== null;
}

/** True for the paths that Locus reads. */
export function accepts(path: string): boolean {
  return languageOf(path) !== null;
}

/** Git pathspecs for the paths that languages read. */
export function pathspecs(of: Iterable<Language>): string[] {
  return Array.from(of).flatMap(({ files }) => [
    ...files.extensions.map((extension) => `:(icase)*${extension}`),
    ...files.names.map((name) => `:(glob)**/${name}`),
  ]);
}

/** A git pathspec for the paths that end as this one does, of which a language reads all. */
export function pathspecLike(path: string): string {
  const name = basename(path);
  const extension = extensionOf(name);
  return byExtension.has(extension.toLowerCase()) ? `*${extension}` : `:(glob)**/${name}`;
}

/** Identifies all languages together: changes with any of them. */
export function languagesDigest(): string {
  const digest = createHash('sha256');
  for (const language of languages()) digest.update(parserNamed(language));
  return digest.digest('hex').slice(0, 12);
}

/**
 * Identifies the chunker for this path's language: grammar, queries and code. What another one made of a file must be
 * made anew. Empty for files that Locus does not read.
 */
export function parserOf(path: string): string {
  const language = languageOf(path) ?? manifestLanguageOf(path);
  if (language) return parserNamed(language);
  return packageKindOf(path) ? MANIFEST_PARSER : '';
}

/**
 * A language by its name.
 * @throws LocusError `not-found`
 */
export function languageNamed(name: string): Language {
  const language = byName.get(name);
  if (language) return language;
  const known = [...byName.keys()].join(', ');
  throw new LocusError('not-found', `No language named ${name}.`, `Known languages: ${known}.`);
}

/** `python 3-0123456789ab`: the digits are of all that is in the adapter's folder. */
function parserNamed(language: Language): string {
  let parser = parsers.get(language);
  if (parser === undefined) {
    const digest = createHash('sha256');
    for (const file of readdirSync(language.folder, { withFileTypes: true }).toSorted(byFile)) {
      if (file.isFile() && !file.name.endsWith(COLOURS_ONLY))
        digest.update(file.name).update(readFileSync(new URL(file.name, language.folder)));
    }
    parser = `${language.name} ${CHUNKER_VERSION}-${digest.digest('hex').slice(0, 12)}`;
    parsers.set(language, parser);
  }
  return parser;
}

const byFile = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/**
 * Returns how the languages of these names look in issues; all languages if left out. Languages may share a syntax. Ask
 * for those of a repository only: what is a frame in one language is a sentence in another.
 */
export function issueSyntaxes(names?: ReadonlySet<string>): readonly IssueSyntax[] {
  const asked = Array.from(languages()).filter(({ name }) => !names || names.has(name));
  return [...new Set(asked.map(({ issue }) => issue))];
}

/** Returns how the language of an indexed file looks in issues; undefined for an unknown one. */
export function getIssueSyntax(language: string): IssueSyntax | undefined {
  return Array.from(languages()).find(({ name }) => name === language)?.issue;
}
