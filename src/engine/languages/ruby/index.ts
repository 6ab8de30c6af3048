/** Adapter of Ruby. A module counts as a class, because it contains methods and constants. */
import type { Language } from '../language.ts';
import { type CodeLayout, createIndentLayout } from '../layout/layout.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { graph } from './graph.ts';
import { rubyIssues } from './issue.ts';
import { splitName } from './names.ts';
import { registrations } from './registrations.ts';

const blocks = createIndentLayout(2, /^end\b/, /[ \t]*end[ \t]*(?:#[^\n]*)?\r?$/my);
/** Keywords with the same indentation as a block's first line that do not end the block. */
const INNER_CLAUSE = /^\s*(?:rescue|ensure|else)\b/;

const layout: CodeLayout = {
  ...blocks,
  findBlockEnd: (lines, header, headerEnd, skip) =>
    blocks.findBlockEnd(
      lines,
      header,
      headerEnd,
      (row) => skip(row) || INNER_CLAUSE.test(lines.getRow(row)),
    ),
};

export const ruby: Language = {
  name: 'ruby',
  title: 'Ruby',
  monaco: 'ruby',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.rb', '.rake', '.gemspec', '.ru', '.rbw', '.podspec'],
    names: [
      'Rakefile',
      'Gemfile',
      'Guardfile',
      'Capfile',
      'Vagrantfile',
      'Podfile',
      'Fastfile',
      'Thorfile',
    ],
    tests: /^(?:test|spec)[_-]|[_-](?:test|spec)$|^(?:test|spec)s?$/,
    // Rails and Bundler use `vendor` at the top. Gems have copies below `lib`.
    vendored: /^\/(?:lib\/(?:[^/]+\/)*)?vendor\//,
    // protoc.
    generated: /_pb\.rb$/,
    testMarks: /^(?:test|spec)[_-]|[_-](?:test|spec)$/g,
    testFolders: /\/(?:spec|features|fixtures)\//,
    documentation: [],
    index: null,
  },
  grammar: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  queries: ['definitions.scm', 'references.scm'],
  tokens: ['tokens.scm'],
  example: { path: 'example.rb', text: 'def f(x)\n  x\nend\n', name: 'f' },
  nodes: {
    comment: ['comment'],
    names: ['identifier', 'constant', 'instance_variable', 'class_variable', 'self', 'super'],
    members: { scope_resolution: { object: 'scope', name: 'name' } },
    calls: {},
    invocations: { call: { object: 'receiver', name: 'method' } },
    wrappers: ['parenthesized_statements'],
    literals: [
      'string',
      'chained_string',
      'heredoc_beginning',
      'simple_symbol',
      'delimited_symbol',
      'integer',
      'float',
      'array',
      'hash',
      'regex',
      'string_array',
      'symbol_array',
      'range',
      'true',
      'false',
      'nil',
    ],
  },
  layout,
  text: {
    headers: [
      /[ \t]*(?:class|module)[ \t]+(?:[A-Z]\w*::)*(?<class>[A-Z]\w*)/y,
      /[ \t]*(?:(?:private|protected|public|module_function|private_class_method)[ \t]+)?def[ \t]+(?:\w+\.)?(?<function>[\p{L}_][\p{L}\p{N}_]*[?!=]?|[-+*/%<>=!~^&|[\]@]{1,4})/uy,
    ],
    soundHeaders: [/[ \t]*class[ \t]*<<[ \t]*self\b(?<namespace>)/y],
    decorator: null,
    outlineHeader: (header) => header,
    isFormattingOnly: isSameExceptSpace,
  },
  names: {
    splitName,
    initials: true,
    constructors: ['initialize'],
    runsOnConstruction: (name) => name === 'initialize',
    isPrivate: (name) => name.startsWith('_'),
    isSpecial: (name) => /^(?:\W|method_missing$|respond_to_missing\?$)/.test(name),
  },
  readImport: ({ from = '' }) => ({ module: from, level: 0, member: '*', local: '*' }),
  // The only type annotations are class names in `rescue`.
  readTypeName: (annotation) => ({ name: splitName(annotation).join('.'), isClass: false }),
  graph,
  registrations,
  traceback: {
    raise: /^\s*raise\s+([A-Z][\w:]*)/,
    statement: /^\s*[\w@$({[]/,
    write: (frames, error) =>
      frames
        .toReversed()
        .map(({ path, line, name }, n) =>
          n === 0
            ? `${path}:${line}:in '${name}': ${error ?? 'unhandled exception'}`
            : `\tfrom ${path}:${line}:in '${name}'`,
        )
        .join('\n'),
  },
  issue: rubyIssues,
};
