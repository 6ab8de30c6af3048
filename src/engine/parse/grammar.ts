/** Loads the parsers of languages and runs them on sources. Its state belongs to one thread. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Parser } from 'web-tree-sitter';
import { LocusError } from '../../shared/errors.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Language } from '../languages/language.ts';
import { expandNames } from '../languages/query-source.ts';
import { compileGrammar } from './compile-grammar.ts';
import { resolveGrammarFile } from './grammar-file.ts';
import type { SyntaxTree } from './syntax-tree.ts';
import { type Matches, TreeQuery } from './tree-query.ts';
import { TreeReader } from './tree-reader.ts';

/**
 * Maximum number of progress reports: a base and a share for each UTF-16 unit. The parser reports about every hundred steps, at
 * most 27 times for 1,000 units of any text. It reports endlessly if there are too many ways to recover from a syntax error.
 * Steps are counted because, unlike time, they are the same for the same text.
 */
const BASE_REPORTS = 100;
const REPORTS_PER_UNIT = 0.1;

/** Parser of a language, with its queries, which are compiled on first use. */
export class Grammar {
  readonly language: Language;
  private readonly parser: Parser;
  private readonly reader: TreeReader;
  private readonly queries = new Map<readonly string[], TreeQuery>();

  constructor(language: Language, parser: Parser, reader: TreeReader) {
    this.language = language;
    this.parser = parser;
    this.reader = reader;
  }

  /**
   * Parses a source. The tree is valid until the next source is parsed.
   * @param markup the source's code, if it was read before
   * @throws Error if recovery from the source's syntax errors takes too many steps
   */
  parse(source: string, markup = this.language.markup?.read(source)): SyntaxTree {
    const text = markup?.code ?? this.language.prepare?.(source) ?? source;
    this.parser.reset();
    let reports = 0;
    const maxReports = BASE_REPORTS + text.length * REPORTS_PER_UNIT;
    // Most of a template is white space, which takes the parser as long as code.
    const code = markup ? text.trimEnd() : text;
    const tree = this.parser.parse(code, null, { progressCallback: () => ++reports > maxReports });
    if (!tree)
      throw new Error('The parser stopped: the text has syntax errors that take too long.');
    try {
      return this.reader.read(tree, text);
    } finally {
      tree.delete();
    }
  }

  /**
   * Returns the matches of queries in a tree.
   * @param files query files in the language's folder
   * @throws LocusError `not-found` if a file is missing or does not fit the grammar
   */
  findMatches(files: readonly string[], tree: SyntaxTree): Matches {
    const query = getOrAdd(this.queries, files, () => {
      try {
        return new TreeQuery(readQueries(this.language, files), this.reader.tables);
      } catch (cause) {
        throw createLoadError(this.language, cause);
      }
    });
    return query.findMatches(tree);
  }
}

/** Returns the text of query files in a language's folder, without names for expressions. @throws the system's error for a missing file */
export function readQueries(language: Language, files: readonly string[]): string {
  const texts = files.map(
    (file) => language.content?.tags ?? readFileSync(new URL(file, language.folder), 'utf8'),
  );
  const text = expandNames(texts.join('\n'));
  return language.translateQuery?.(text) ?? text;
}

/** WebAssembly counts memory in pages of 64 KiB. */
const PAGES_PER_MEGABYTE = 16;
/** Memory that the parser needs at least. */
const MIN_PAGES = 32 * PAGES_PER_MEGABYTE;
const DEFAULT_MEGABYTES = 1024;

type ParserMemory = ConstructorParameters<typeof TreeReader>[1];

// TypeScript declares WebAssembly only together with the DOM.
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => ParserMemory;
};

let memory: ParserMemory | undefined;
let initialized: Promise<ParserMemory> | undefined;
const grammars = new Map<string, Promise<Grammar>>();

/**
 * Limits the memory of the parser in this thread, with its grammars and trees. The parser aborts on a file that needs more.
 * Must be called before the first grammar is loaded.
 */
export function limitParserMemory(megabytes: number): void {
  memory = new WebAssembly.Memory({
    initial: MIN_PAGES,
    maximum: Math.max(MIN_PAGES, megabytes * PAGES_PER_MEGABYTE),
  });
}

/** Loads a language's grammar, once. @throws LocusError `not-found` if its file is missing or has another version */
export function loadGrammar(language: Language): Promise<Grammar> {
  return getOrAdd(grammars, language.name, async () => {
    initialized ??= initialize();
    const parserMemory = await initialized;
    try {
      const compiled = await compileGrammar(
        language.content?.grammar ?? readFileSync(resolveGrammarFile(language)),
      );
      const parser = new Parser();
      parser.setLanguage(compiled);
      return new Grammar(language, parser, new TreeReader(compiled, parserMemory));
    } catch (cause) {
      throw createLoadError(language, cause);
    }
  });
}

async function initialize(): Promise<ParserMemory> {
  if (!memory) limitParserMemory(DEFAULT_MEGABYTES);
  const wasmMemory = memory as ParserMemory;
  await Parser.init({
    wasmMemory,
    // The thrown error says the same as its printed output.
    printErr: () => {},
  });
  return wasmMemory;
}

function createLoadError(
  { title, grammar, content, folder }: Language,
  cause: unknown,
): LocusError {
  if (content)
    return new LocusError(
      'bad-input',
      `The grammar or the tags of ${title} in ${fileURLToPath(folder)} cannot be used: ${(cause as Error).message}.`,
      'Replace grammar.wasm or correct tags.scm, or remove the folder.',
      { cause },
    );
  return new LocusError(
    'not-found',
    `The ${title} grammar (${grammar}) could not be loaded: ${(cause as Error).message}.`,
    'Reinstall the dependencies with npm ci.',
    { cause },
  );
}
