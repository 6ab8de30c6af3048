/**
 * Quill, an invented language for the tests. It differs from Python in everything that an adapter can decide. Its
 * grammar is JavaScript's, because a grammar cannot be invented.
 */
import { posix } from 'node:path';
import type { ImportFact } from '../../../src/engine/languages/facts.ts';
import type { IssueSyntax } from '../../../src/engine/languages/issue-syntax.ts';
import type { Language } from '../../../src/engine/languages/language.ts';
import { createIndentLayout } from '../../../src/engine/languages/layout/layout.ts';
import type { ModuleResolver, RepositoryModule } from '../../../src/engine/languages/modules.ts';

/** Resolves `import { Round } from "shapes/round"` to shapes/round.quill, and `"shapes"` to shapes/root.quill. */
class QuillModules implements ModuleResolver {
  readonly #files = new Set<string>();

  add(path: string, touched: Set<string>): void {
    this.#files.add(path);
    touched.add(nameOf(path));
  }

  remove(path: string, touched: Set<string>): void {
    this.#files.delete(path);
    touched.add(nameOf(path));
  }

  resolveImport(_: string, { module }: ImportFact) {
    return { module: this.#at(module), names: [module] };
  }

  resolveLocal(_importer: string, _fact: ImportFact, named: RepositoryModule): RepositoryModule {
    return named;
  }

  getChild(folder: string, name: string): RepositoryModule | null {
    return this.#at(`${folder}/${name}`);
  }

  #at(name: string): RepositoryModule | null {
    const file = [`${name}.quill`, `${name}/root.quill`].find((path) => this.#files.has(path));
    return file ? { file, folder: name } : null;
  }
}

const nameOf = (path: string): string => path.replace(/(?:\/root)?\.quill$/, '');

const issue: IssueSyntax = {
  codeLine: /^import \{/,
  prompt: /^quill\?/,
  input: /^quill\? /,
  traceback: { begins: /^Broken: /, continues: /^ {4}at / },
  innermost: 'first',
  frames: [/^ {4}at (?<name>[\w.]{1,80}) <(?<path>[^\s>]{1,200}) @ (?<line>\d{1,7})>/gm],
  moduleFrame: 'main',
  error: /^Broken: (?<message>[^\n]{1,200})/gm,
  environment: { heading: /^quill version$/i, line: /^quill \d/ },
  trained: null,
  qualifiedName: /[a-z]\w*(?:\.\w+)*/gi,
  separator: '.',
  specialName: /^toString$/,
  words: null,
  sourceFile: /\.quill$/,
  sourceRoots: new Set(),
  getModule: nameOf,
  readScript: () => ({ bindings: [], uses: [] }),
};

export const quill: Language = {
  name: 'quill',
  title: 'Quill',
  monaco: 'javascript',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.quill'],
    names: ['Quillfile'],
    tests: /-trial$/,
    testMarks: /-trial$/g,
    documentation: [],
    index: 'root',
  },
  grammar: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  queries: ['quill.scm'],
  tokens: [],
  example: { path: 'example.quill', text: 'function f(x) {\n  return x;\n}\n', name: 'f' },
  nodes: {
    comment: ['comment'],
    names: ['identifier', 'this', 'super'],
    members: { member_expression: { object: 'object', name: 'property' } },
    calls: {
      call_expression: { callee: 'function' },
      new_expression: { callee: 'constructor' },
    },
    wrappers: ['parenthesized_expression'],
    literals: ['string', 'number', 'array', 'object'],
  },
  layout: createIndentLayout(2, /^[})\]]/),
  text: {
    headers: [
      /[ \t]*(?:export[ \t]+)?function[ \t]+(?<function>\w+)[ \t]*\(/y,
      /[ \t]*(?:export[ \t]+)?class[ \t]+(?<class>\w+)/y,
      /[ \t]+(?!if\b|for\b|while\b)(?<function>\w+)[ \t]*\([\w, ]*\)[ \t]*\{/y,
    ],
    decorator: null,
    outlineHeader: (header) => header.replace(/\s*\{$/, ';'),
    isFormattingOnly: (before, after) => before.join('').trim() === after.join('').trim(),
  },
  names: {
    constructors: ['constructor'],
    runsOnConstruction: (name) => name === 'constructor',
    isPrivate: (name) => name.startsWith('hidden'),
    isSpecial: (name) => name === 'toString',
  },
  readImport({ from = '', member = '', alias }) {
    return { module: posix.normalize(from), level: 0, member, local: alias ?? member };
  },
  readTypeName: (annotation) => ({ name: annotation, isClass: false }),
  graph: {
    instanceNames: ['this'],
    classNames: [],
    superNames: ['super'],
    classAttribute: 'constructor',
    callMethod: 'invoke',
    rootClasses: ['Thing'],
    propertyDecorators: [],
    selfTypes: [],
    isHidden: (name) => name.startsWith('hidden'),
    commonNames: new Set(['push']),
    createResolver: () => new QuillModules(),
  },
  issue,
  traceback: {
    raise: /^\s*throw new (\w+)/,
    statement: /^\s*[\w({[]/,
    write: (frames, error) =>
      [
        error ?? 'Broken',
        ...frames.toReversed().map(({ path, line, name }) => `    at ${name} <${path} @ ${line}>`),
      ].join('\n'),
  },
};
