/** A language's parser and queries at work. Belongs to one thread. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Node,
  Parser,
  Query,
  type Tree,
  Language as TreeSitterLanguage,
} from 'web-tree-sitter';
import { LocusError } from '../../shared/errors.ts';
import type { Language } from '../languages/index.ts';

const require = createRequire(import.meta.url);

/** The captures of one match of a query pattern, by the part after the dot of `@role.part`. */
export type Match = Record<string, Node | undefined>;

/** All matches of a file, by role. */
export type Matches = Map<string, Match[]>;

/** A parser for one language, with its queries compiled. */
export class Grammar {
  readonly language: Language;
  private readonly parser: Parser;
  private readonly query: Query;
  /** Role and part of each capture name. */
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

  /** Parses a source and hands its tree and matches to `use`; frees the tree afterwards. */
  read<T>(text: string, use: (tree: Tree, matches: Matches) => T): T {
    this.parser.reset();
    const tree = this.parser.parse(text);
    if (!tree) throw new Error('The parser gave up.');
    try {
      return use(tree, this.matches(tree));
    } finally {
      tree.delete();
    }
  }

  private matches(tree: Tree): Matches {
    const byRole: Matches = new Map();
    for (const { captures } of this.query.matches(tree.rootNode)) {
      const match: Match = {};
      let role = '';
      for (const { name, node } of captures) {
        const capture = this.captures.get(name)!;
        role = capture.role;
        match[capture.part] = node;
      }
      const list = byRole.get(role);
      if (list) list.push(match);
      else byRole.set(role, [match]);
    }
    return byRole;
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

/**
 * Loads a language's grammar, once.
 * @throws LocusError `not-found` when the grammar's WebAssembly file is missing or of another version.
 */
export function grammarOf(language: Language): Promise<Grammar> {
  let grammar = grammars.get(language.name);
  if (!grammar) {
    grammar = loadGrammar(language);
    grammars.set(language.name, grammar);
  }
  return grammar;
}

async function loadGrammar(language: Language): Promise<Grammar> {
  initialised ??= Parser.init({
    ...(memory && { wasmMemory: memory }),
    // What it would print is told by the error that it throws.
    printErr: () => {},
  });
  await initialised;
  try {
    const compiled = await TreeSitterLanguage.load(readFileSync(require.resolve(language.grammar)));
    const parser = new Parser();
    parser.setLanguage(compiled);
    return new Grammar(language, parser, new Query(compiled, language.query));
  } catch (cause) {
    throw new LocusError(
      'not-found',
      `The grammar of ${language.name}, ${language.grammar}, cannot be loaded: ${(cause as Error).message}`,
      'Install the dependencies again (npm ci).',
      { cause },
    );
  }
}
