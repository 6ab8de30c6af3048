/** A language's parser and queries at work. Belongs to one thread. */
import { readFileSync } from 'node:fs';
import {
  type Node,
  Parser,
  Query,
  type Tree,
  Language as TreeSitterLanguage,
} from 'web-tree-sitter';
import { LocusError } from '../../shared/errors.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import { present } from '../../shared/present.ts';
import type { Language, Part } from '../languages/language.ts';
import { grammarFile } from './grammar-file.ts';

/**
 * The parser reports every hundred steps or so: up to 27 times for 1,000 UTF-16 units of any text, sound or broken, and
 * without end where it is lost in the many ways to mend an error. Steps, unlike time, are the same for the same text.
 */
const FIRST_REPORTS = 100;
const REPORTS_PER_UNIT = 0.1;

/** One match of a query pattern: its captures, by the part after the dot of `@role.part`. */
export class Match {
  readonly #pattern: number;
  readonly #parts: Readonly<Record<string, Node>>;

  constructor(pattern: number, parts: Readonly<Record<string, Node>>) {
    this.#pattern = pattern;
    this.#parts = parts;
  }

  find(part: string): Node | undefined {
    return this.#parts[part];
  }

  /** @throws Error if the query is wrong, so that the pattern has no such part */
  get(part: string): Node {
    return present(this.#parts[part], `capture ${part} of the query's pattern ${this.#pattern}`);
  }

  texts(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.#parts).map(([part, { text }]) => [part, text]));
  }
}

/** All matches of a file, by role. */
export type Matches = Map<string, Match[]>;

export function getPart(node: Node, part: Part): Node | null {
  if (typeof part === 'string') return node.childForFieldName(part);
  return node.namedChild(part < 0 ? node.namedChildCount + part : part);
}

export class Grammar {
  readonly language: Language;
  private readonly parser: Parser;
  private readonly query: Query;
  private readonly captures: Map<string, { role: string; part: string }>;

  constructor(language: Language, parser: Parser, query: Query) {
    this.language = language;
    this.parser = parser;
    this.query = query;
    this.captures = new Map(
      query.captureNames.map((name) => {
        const dot = name.indexOf('.');
        return [name, { role: name.slice(0, dot), part: name.slice(dot + 1) }];
      }),
    );
  }

  /** Hands a source's tree and matches to `use`, as `parsed` does. */
  read<T>(text: string, use: (tree: Tree, matches: Matches) => T): T {
    return parsed(this.language, this.parser, text, (tree) => use(tree, this.matches(tree)));
  }

  private matches(tree: Tree): Matches {
    const byRole: Matches = new Map();
    for (const { captures, patternIndex } of this.query.matches(tree.rootNode)) {
      const parts: Record<string, Node> = {};
      let role = '';
      for (const { name, node } of captures) {
        const capture = present(this.captures.get(name), `capture ${name}`);
        role = capture.role;
        parts[capture.part] = node;
      }
      appendTo(byRole, role, new Match(patternIndex, parts));
    }
    return byRole;
  }
}

/**
 * Parses a source and hands its tree to `use`; frees the tree afterwards.
 * @throws Error when mending the source's errors takes too many steps
 */
export function parsed<T>(
  language: Language,
  parser: Parser,
  text: string,
  use: (tree: Tree) => T,
): T {
  parser.reset();
  let reports = 0;
  const most = FIRST_REPORTS + text.length * REPORTS_PER_UNIT;
  const tree = parser.parse(language.prepare?.(text) ?? text, null, {
    progressCallback: () => ++reports > most,
  });
  if (!tree) throw new Error('The parser gave up: it was lost in an error of the text.');
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}

/** WebAssembly counts memory in pages of 64 KiB; the parser asks for this many at least. */
const PAGES_PER_MEGABYTE = 16;
const FIRST_PAGES = 32 * PAGES_PER_MEGABYTE;

// TypeScript has WebAssembly's types only together with the DOM's.
declare const WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => object };

let memory: object | undefined;
let initialised: Promise<void> | undefined;
const grammars = new Map<string, Promise<Grammar>>();

/**
 * Sets how much the parser may take in this thread, its grammars and trees; a file that needs more makes it abort. To be
 * called before the first grammar is loaded.
 */
export function limitMemory(megabytes: number): void {
  memory = new WebAssembly.Memory({
    initial: FIRST_PAGES,
    maximum: Math.max(FIRST_PAGES, megabytes * PAGES_PER_MEGABYTE),
  });
}

/** Loads a language's grammar, once. @throws LocusError `not-found` if its file is missing or of another version */
export function grammarOf(language: Language): Promise<Grammar> {
  return getOrAdd(grammars, language.name, async () => {
    const { parser, query } = await loadQuery(language, language.queries);
    return new Grammar(language, parser, query);
  });
}

/** Loads a parser for a language, and compiles a query of these files. @throws LocusError `not-found` as `grammarOf` */
export async function loadQuery(
  language: Language,
  files: readonly string[],
): Promise<{ parser: Parser; query: Query }> {
  initialised ??= Parser.init({
    ...(memory && { wasmMemory: memory }),
    // What it would print is told by the error that it throws.
    printErr: () => {},
  });
  await initialised;
  try {
    const compiled = await TreeSitterLanguage.load(readFileSync(grammarFile(language)));
    const parser = new Parser();
    parser.setLanguage(compiled);
    const texts = files.map((file) => readFileSync(new URL(file, language.folder), 'utf8'));
    return { parser, query: new Query(compiled, texts.join('\n')) };
  } catch (cause) {
    throw new LocusError(
      'not-found',
      `The grammar of ${language.title}, ${language.grammar}, cannot be loaded: ${(cause as Error).message}`,
      'Install the dependencies again (npm ci).',
      { cause },
    );
  }
}
