/** Loads the parsers and queries of languages, and runs them on sources. Its state belongs to one thread. */
import { readFileSync } from 'node:fs';
import {
  type Node,
  Parser,
  Query,
  type Tree,
  Language as TreeSitterLanguage,
} from 'web-tree-sitter';
import { assertPresent } from '../../shared/assert-present.ts';
import { LocusError } from '../../shared/errors.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import type { Language, NodePart } from '../languages/language.ts';
import { resolveGrammarFile } from './grammar-file.ts';

/**
 * Maximum number of progress reports: a base and a share for each UTF-16 unit. The parser reports about every hundred steps, at
 * most 27 times for 1,000 units of any text. It reports endlessly if there are too many ways to recover from a syntax error.
 * Steps are counted because, unlike time, they are the same for the same text.
 */
const BASE_REPORTS = 100;
const REPORTS_PER_UNIT = 0.1;

/** Match of a query pattern: its captures, by the part after the dot of `@role.part`. */
export class QueryMatch {
  readonly #pattern: number;
  readonly #parts: Readonly<Record<string, Node>>;

  constructor(pattern: number, parts: Readonly<Record<string, Node>>) {
    this.#pattern = pattern;
    this.#parts = parts;
  }

  find(part: string): Node | undefined {
    return this.#parts[part];
  }

  /** Returns the node of a part. @throws Error if the query's pattern has no such part */
  get(part: string): Node {
    return assertPresent(
      this.#parts[part],
      `capture ${part} of the query's pattern ${this.#pattern}`,
    );
  }

  texts(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.#parts).map(([part, { text }]) => [part, text]));
  }
}

/** Matches of a file, by role. */
export type Matches = Map<string, QueryMatch[]>;

export function getPart(node: Node, part: NodePart): Node | null {
  if (typeof part === 'string') return node.childForFieldName(part);
  return node.namedChild(part < 0 ? node.namedChildCount + part : part);
}

export class Grammar {
  readonly language: Language;
  private readonly parser: Parser;
  private readonly query: Query;
  private readonly captureParts: Map<string, { role: string; part: string }>;

  constructor(language: Language, parser: Parser, query: Query) {
    this.language = language;
    this.parser = parser;
    this.query = query;
    this.captureParts = new Map(
      query.captureNames.map((name) => {
        const dot = name.indexOf('.');
        return [name, { role: name.slice(0, dot), part: name.slice(dot + 1) }];
      }),
    );
  }

  /** Parses a source and passes its tree and matches to `use`, as `parseSource` does. */
  parse<T>(text: string, use: (tree: Tree, matches: Matches) => T): T {
    return parseSource(this.language, this.parser, text, (tree) =>
      use(tree, this.collectMatches(tree)),
    );
  }

  private collectMatches(tree: Tree): Matches {
    const byRole: Matches = new Map();
    for (const { captures, patternIndex } of this.query.matches(tree.rootNode)) {
      const parts: Record<string, Node> = {};
      let role = '';
      for (const { name, node } of captures) {
        const capture = assertPresent(this.captureParts.get(name), `capture ${name}`);
        role = capture.role;
        parts[capture.part] = node;
      }
      appendTo(byRole, role, new QueryMatch(patternIndex, parts));
    }
    return byRole;
  }
}

/**
 * Parses a source, passes its tree to `use`, and frees the tree afterwards.
 * @throws Error if recovery from the source's syntax errors takes too many steps
 */
export function parseSource<T>(
  language: Language,
  parser: Parser,
  text: string,
  use: (tree: Tree) => T,
): T {
  parser.reset();
  let reports = 0;
  const maxReports = BASE_REPORTS + text.length * REPORTS_PER_UNIT;
  const tree = parser.parse(language.prepare?.(text) ?? text, null, {
    progressCallback: () => ++reports > maxReports,
  });
  if (!tree) throw new Error('The parser stopped: the text has syntax errors that take too long.');
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}

/** WebAssembly counts memory in pages of 64 KiB. */
const PAGES_PER_MEGABYTE = 16;
/** Memory that the parser needs at least. */
const MIN_PAGES = 32 * PAGES_PER_MEGABYTE;

// TypeScript declares WebAssembly only together with the DOM.
declare const WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => object };

let memory: object | undefined;
let initialized: Promise<void> | undefined;
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
    const { parser, query } = await loadQuery(language, language.queries);
    return new Grammar(language, parser, query);
  });
}

/** Loads a parser for a language, and compiles these query files. @throws LocusError `not-found` as `loadGrammar` */
export async function loadQuery(
  language: Language,
  files: readonly string[],
): Promise<{ parser: Parser; query: Query }> {
  initialized ??= Parser.init({
    ...(memory && { wasmMemory: memory }),
    // The thrown error says the same as its printed output.
    printErr: () => {},
  });
  await initialized;
  try {
    const compiled = await TreeSitterLanguage.load(readFileSync(resolveGrammarFile(language)));
    const parser = new Parser();
    parser.setLanguage(compiled);
    const texts = files.map((file) => readFileSync(new URL(file, language.folder), 'utf8'));
    return { parser, query: new Query(compiled, texts.join('\n')) };
  } catch (cause) {
    throw new LocusError(
      'not-found',
      `The ${language.title} grammar (${language.grammar}) could not be loaded: ${(cause as Error).message}.`,
      'Reinstall the dependencies with npm ci.',
      { cause },
    );
  }
}
