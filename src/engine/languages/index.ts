/** Registry of the supported languages. Each is an adapter in a folder here. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path/posix';
import type { LanguageInfo } from '../../shared/chunk.ts';
import { LocusError } from '../../shared/errors.ts';
import { getPackageKind } from '../packages/kinds.ts';
import { findSectionForm, sectionForms } from '../sections/forms.ts';
import { c, cpp } from './c/index.ts';
import { csharp } from './csharp/index.ts';
import { go } from './go/index.ts';
import type { IssueSyntax } from './issue-syntax.ts';
import { java } from './java/index.ts';
import { astro, svelte, vue } from './javascript/components.ts';
import { javascript, tsx, typescript } from './javascript/index.ts';
import { kotlin } from './kotlin/index.ts';
import type { Language } from './language.ts';
import { php } from './php/index.ts';
import { python } from './python/index.ts';
import { notebook } from './python/notebook.ts';
import { ruby } from './ruby/index.ts';
import { rust } from './rust/index.ts';
import { taggedLanguages } from './tagged/index.ts';
import { readUserLanguages } from './tagged/user-languages.ts';
import { templateLanguages } from './templates/index.ts';

/** Increase this if code in `src/engine/parse`, code that languages share here, or the tokenizer returns other results. */
const CHUNKER_VERSION = 9;

/** Parser version of files without code that have sections. Increase it if `src/engine/sections` returns other results. */
const SECTIONS_PARSER = 'sections 1';

/** End of the names of queries that do not affect chunks. */
const TOKENS_SUFFIX = 'tokens.scm';

/** Parser version of manifests without a language, which are not parsed when they are indexed. */
const MANIFEST_PARSER = 'manifest 1';

const byName = new Map<string, Language>();
const byExtension = new Map<string, Language>();
const byFileName = new Map<string, Language>();
const parsers = new Map<Language, string>();

for (const language of [
  python,
  notebook,
  go,
  java,
  javascript,
  typescript,
  tsx,
  vue,
  svelte,
  astro,
  rust,
  c,
  cpp,
  csharp,
  php,
  kotlin,
  ruby,
  ...taggedLanguages,
  ...templateLanguages,
])
  addLanguage(language);

/**
 * Registers a language in this thread. Must be called before any look-up.
 * @throws Error if another language has the same name, an extension or a file name
 */
export function addLanguage(language: Language): void {
  const { name, files } = language;
  register(byName, name, language);
  for (const extension of files.extensions) register(byExtension, extension, language);
  for (const fileName of files.names) register(byFileName, fileName, language);
}

/** Folder of the user's languages in this thread, their names, and what is wrong with others. */
let userFolder: string | null = null;
let userNames: string[] = [];
let problems: string[] = [];

/**
 * Replaces the user's languages in this thread by those in a folder, which are read once.
 * @param folder null for none
 */
export function loadLanguagesIn(folder: string | null): void {
  if (folder === userFolder) return;
  userFolder = folder;
  for (const name of userNames) removeLanguage(getLanguage(name));
  [userNames, problems] = [[], []];
  if (folder === null || !existsSync(folder)) return;
  for (const { language, file } of readUserLanguages(folder, (text) => problems.push(text))) {
    const taken = findTaken(language);
    if (taken === null) {
      addLanguage(language);
      userNames.push(language.name);
    } else
      problems.push(
        `The language in ${file} is not used: ${taken} belongs to another language. Use another name or extension.`,
      );
  }
}

/** Returns the folder of the user's languages in this thread; null if none was set. */
export function getUserLanguageFolder(): string | null {
  return userFolder;
}

/** Returns sentences about the user's languages that are not used, for people. */
export function listLanguageProblems(): readonly string[] {
  return problems;
}

/** Returns the first name, extension or file name that another language already has; null if all are free. */
function findTaken({ name, files }: Language): string | null {
  if (byName.has(name)) return name;
  return (
    files.extensions.find((extension) => byExtension.has(extension)) ??
    files.names.find((fileName) => byFileName.has(fileName)) ??
    null
  );
}

function removeLanguage(language: Language): void {
  byName.delete(language.name);
  for (const extension of language.files.extensions) byExtension.delete(extension);
  for (const fileName of language.files.names) byFileName.delete(fileName);
}

function register(registry: Map<string, Language>, key: string, language: Language): void {
  const other = registry.get(key);
  if (other) throw new Error(`${key} belongs to both ${other.title} and ${language.title}`);
  registry.set(key, language);
}

/** Returns all languages in the order in which they were added. */
export function getLanguages(): Iterable<Language> {
  return byName.values();
}

/** Returns all languages and forms of sections as the window shows them. */
export function listLanguages(): LanguageInfo[] {
  const languages = Array.from(getLanguages(), ({ name, title, monaco, files }) => {
    return { name, title, monaco, index: files.index };
  });
  const forms = sectionForms.map(({ name, title, monaco }) => {
    return { name, title, monaco, index: null };
  });
  return [...languages, ...forms];
}

/** Returns the name of a file's language, or of the form of its sections; empty for other files. */
export function getLanguageName(path: string): string {
  return (findLanguage(path) ?? findSectionForm(path))?.name ?? '';
}

/** Language as `locus languages` lists it. */
export interface LanguageDescription {
  name: string;
  title: string;
  /** Extensions, and names of files without them. */
  files: string[];
  /** Reader of its files: an adapter of its own, its tags, or those in a folder of the user. */
  reader: 'adapter' | 'tags' | 'user';
}

/** Returns all languages with their files. */
export function describeLanguages(): LanguageDescription[] {
  const tagged = new Set(taggedLanguages);
  return Array.from(getLanguages(), (language) => {
    const { name, title, files, content } = language;
    const reader = content ? 'user' : tagged.has(language) ? 'tags' : 'adapter';
    return { name, title, files: [...files.extensions, ...files.names], reader };
  });
}

/** Returns the language of a path (with forward slashes), or null if it is not supported. */
export function findLanguage(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = getExtension(name).toLowerCase();
  // An extension of two parts, such as `.blade.php`, goes first.
  const before = getExtension(name.slice(0, name.length - extension.length)).toLowerCase();
  return (
    (before && byExtension.get(before + extension)) ||
    (byExtension.get(extension) ?? byFileName.get(name) ?? null)
  );
}

/** Returns the extension of a file name, such as `.py`; empty if it has none. */
function getExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

/** Returns the language whose modules a manifest describes, by the file's name; null for any other file. */
export function findManifestLanguage(path: string): Language | null {
  const name = basename(path);
  return byName.values().find(({ graph }) => graph.manifests?.has(name)) ?? null;
}

/** Returns true for paths that are indexed: source files, manifests of modules and packages, and files with sections. */
export function isIndexedPath(path: string): boolean {
  return isSourcePath(path) || isManifest(path) || findSectionForm(path) !== null;
}

/** Returns true if a file is a manifest of modules or of a package, and not a source file. */
export function isManifest(path: string): boolean {
  if (isSourcePath(path)) return false;
  return findManifestLanguage(path) !== null || getPackageKind(path) !== null;
}

/** Returns true for source files in a supported language. */
export function isSourcePath(path: string): boolean {
  return findLanguage(path) !== null;
}

/** Returns git pathspecs for the source files of some languages. */
export function listPathspecs(selected: Iterable<Language>): string[] {
  return Array.from(selected).flatMap(({ files }) => [
    ...files.extensions.map((extension) => `:(icase)*${extension}`),
    ...files.names.map((name) => `:(glob)**/${name}`),
  ]);
}

/** Returns a git pathspec for paths with the same extension, or the same name if the extension belongs to no language. */
export function createSimilarPathspec(path: string): string {
  const name = basename(path);
  const extension = getExtension(name);
  return byExtension.has(extension.toLowerCase()) ? `*${extension}` : `:(glob)**/${name}`;
}

/** Returns a digest of all languages, which changes with any of them. */
export function computeLanguagesDigest(): string {
  const digest = createHash('sha256');
  for (const language of getLanguages()) digest.update(getLanguageParser(language));
  return digest.digest('hex').slice(0, 12);
}

/**
 * Returns the version of the chunker for a path's language: grammar, queries and code. Files chunked by another version must
 * be parsed again. Empty for unsupported files.
 */
export function getParserVersion(path: string): string {
  const language = findLanguage(path);
  if (language) return getLanguageParser(language);
  const manifest = findManifestLanguage(path);
  return [
    ...(manifest ? [getLanguageParser(manifest)] : getPackageKind(path) ? [MANIFEST_PARSER] : []),
    ...(findSectionForm(path) ? [SECTIONS_PARSER] : []),
  ].join(', ');
}

/**
 * Returns a language by its name.
 * @throws LocusError `not-found`
 */
export function getLanguage(name: string): Language {
  const language = byName.get(name);
  if (language) return language;
  const supported = [...byName.keys()].join(', ');
  throw new LocusError(
    'not-found',
    `The language ${name} is not supported.`,
    `Use one of these: ${supported}.`,
  );
}

/** Returns a version such as `python 3-0123456789ab`, with a digest of the files in the adapter's folder. */
function getLanguageParser(language: Language): string {
  let parser = parsers.get(language);
  if (parser === undefined) {
    const digest = createHash('sha256').update(language.version ?? '');
    const files = language.content
      ? []
      : readdirSync(language.folder, { withFileTypes: true }).toSorted(compareNames);
    for (const file of files) {
      if (file.isFile() && !file.name.endsWith(TOKENS_SUFFIX))
        digest.update(file.name).update(readFileSync(new URL(file.name, language.folder)));
    }
    parser = `${language.name} ${CHUNKER_VERSION}-${digest.digest('hex').slice(0, 12)}`;
    parsers.set(language, parser);
  }
  return parser;
}

const compareNames = (a: { name: string }, b: { name: string }): number =>
  a.name < b.name ? -1 : 1;

/**
 * Returns the issue syntaxes of these languages, or of all if left out. Languages may share a syntax. Use only the languages
 * of a repository, because a frame in one language may be a sentence in another.
 */
export function getIssueSyntaxes(names?: ReadonlySet<string>): readonly IssueSyntax[] {
  const selected = Array.from(getLanguages()).filter(({ name }) => !names || names.has(name));
  return [...new Set(selected.map(({ issue }) => issue))];
}

/** Returns the issue syntax of a language by its name; undefined if it is unknown. */
export function getIssueSyntax(language: string): IssueSyntax | undefined {
  return Array.from(getLanguages()).find(({ name }) => name === language)?.issue;
}
