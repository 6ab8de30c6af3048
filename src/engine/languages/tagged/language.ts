/** Makes a language of a row, a grammar and its tags. All it knows are definitions, comments, and calls by name. */
import type { Language } from '../language.ts';
import { createBraceLayout } from '../layout/brace-layout.ts';
import { createIndentLayout } from '../layout/layout.ts';
import { NamespaceModules } from '../namespace-modules.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { readWords } from '../words.ts';
import { createTaggedIssueSyntax } from './issue.ts';
import {
  createFolderPattern,
  createHeaderPatterns,
  createMarkPattern,
  createNamePattern,
  createPathPattern,
  createWordPattern,
} from './patterns.ts';
import type { LanguageRow } from './row.ts';
import { translateTags } from './tags.ts';

const DEFAULT_TAB_WIDTH = 4;
/** Start of a row that closes a block, and such a row. */
const CLOSER = /^(?:[})\]]|end\b|done\b|fi\b|esac\b)/;
const BLOCK_END = /[ \t]*(?:[})\]]{1,8}|end)[;,.)]{0,8}[ \t]{0,8}\r?$/my;
/** Maximum length of a name in UTF-16 units. Nobody writes longer ones. */
const MAX_NAME = 200;
/** Quotes around a name, and characters that no name has. */
const QUOTES: ReadonlySet<string> = new Set(["'", '"', '`']);
/** Name that may have spaces, as tests in F# have. */
const SENTENCE = /^``([^`\n\0]+)``$/;
const NOT_A_NAME = /[\s\0]/;

export interface TaggedGrammar {
  /** Value of `Language.grammar`. */
  grammar: string;
  /** Folder with `tags.scm` and `keywords.txt`. */
  folder: URL;
  version: string;
  content?: NonNullable<Language['content']>;
  headerPatterns?: readonly RegExp[];
  prepare?: NonNullable<Language['prepare']>;
}

export function createTaggedLanguage(
  row: LanguageRow,
  { grammar, folder, version, content, headerPatterns = [], prepare }: TaggedGrammar,
): Language {
  const { name, title, extensions, constructors = [], comments = ['comment'] } = row;
  const { fileNames = [], separators = [], tabWidth = DEFAULT_TAB_WIDTH } = row;
  const blanks = createWordPattern(row.blanks);
  let issue: Language['issue'] | undefined;
  return {
    ...{ name, title, folder, grammar, version, content },
    monaco: row.monaco ?? name,
    files: {
      extensions,
      names: fileNames,
      tests: createNamePattern(row.tests),
      testMarks: createMarkPattern(row.tests),
      testFolders: createFolderPattern(row.testFolders),
      generated: createPathPattern(row.generated),
      documentation: [],
      index: null,
    },
    queries: ['tags.scm'],
    translateQuery: (query) => (query === '' ? '' : translateTags(query, comments)),
    tokens: [],
    ...(prepare && { prepare }),
    ...(blanks && { prepare: (text) => text.replace(blanks, fillWithSpaces) }),
    example: {
      path: fileNames[0] ?? `example${extensions[0]}`,
      text: row.example ?? '',
      name: 'f',
    },
    nodes: {
      comment: comments,
      decorators: row.decorators,
      body: row.body ?? 'body',
      clauses: row.clauses,
      reachesNext: row.reachesNext,
      names: [],
      members: {},
      calls: {},
      wrappers: [],
      literals: [],
    },
    layout: {
      ...(row.hasBraces
        ? createBraceLayout(tabWidth)
        : createIndentLayout(tabWidth, CLOSER, BLOCK_END)),
      ...(row.isIndented === false && { findBlockEnd: () => -1 }),
    },
    text: {
      headers: [...createHeaderPatterns(row), ...headerPatterns],
      decorator: null,
      outlineHeader: (header) => header.replace(/\{$/, '').trimEnd(),
      isFormattingOnly: isSameExceptSpace,
    },
    names: {
      splitName: (written) => splitName(written, separators),
      initials: true,
      constructors,
      runsOnConstruction: (method) => constructors.includes(method),
      isPrivate: (written) => written.startsWith('_'),
      isSpecial: () => false,
    },
    readImport: ({ module = '' }) => ({ module, level: 0, member: null, local: module }),
    readTypeName: () => null,
    graph: {
      instanceNames: [],
      classNames: [],
      superNames: [],
      classAttribute: '',
      callMethod: '',
      rootClasses: [],
      propertyDecorators: [],
      selfTypes: [],
      isHidden: () => false,
      knowsOnlyNames: true,
      commonNames: readCommonNames(),
      createResolver: (_, hasNamespace) => new NamespaceModules(hasNamespace),
    },
    traceback: {
      raise: /^\s*(?:raise|throw)\s+(\w+)/,
      statement: /^\s*\S/,
      write: (frames, error) =>
        [
          error ?? 'error',
          ...frames.map(({ path, line, name }) => `${path}:${line}: ${name}`),
        ].join('\n'),
    },
    get issue() {
      issue ??= createTaggedIssueSyntax(row, readKeywords(folder, content));
      return issue;
    },
  };
}

const fillWithSpaces = (word: string) => ' '.repeat(word.length);

/** Returns the parts of a written name; none if it is not a name. */
function splitName(written: string, separators: readonly string[]): string[] {
  const sentence = SENTENCE.exec(written)?.[1];
  if (sentence !== undefined) return sentence.length > MAX_NAME ? [] : [sentence];
  const name = unwrapName(written);
  if (name.length > MAX_NAME || NOT_A_NAME.test(name)) return [];
  const at = Math.max(...separators.map((one) => name.lastIndexOf(one)), -1);
  if (at <= 0) return [name];
  const used = separators.find((one) => name.startsWith(one, at)) ?? '';
  const last = name.slice(at + used.length);
  return last === '' ? [name] : [...splitName(name.slice(0, at), separators), last];
}

/** Returns a name without the quotes or parentheses around it: R's `"%+%"`, OCaml's `( + )`. */
function unwrapName(written: string): string {
  const [first, last] = [written.at(0), written.at(-1)];
  if (first === '(' && last === ')') return written.slice(1, -1).trim();
  const isQuoted = first === last && written.length > 2 && QUOTES.has(first ?? '');
  return isQuoted ? written.slice(1, -1) : written;
}

function readKeywords(folder: URL, content: TaggedGrammar['content']): ReadonlySet<string> {
  return content
    ? new Set(content.keywords.split(/\s+/).filter(Boolean))
    : readWords(folder, 'keywords.txt');
}

let commonNames: ReadonlySet<string> | undefined;

/** Returns names of methods that many languages have in their libraries. */
function readCommonNames(): ReadonlySet<string> {
  commonNames ??= readWords(new URL('./', import.meta.url), 'common-names.txt');
  return commonNames;
}
