/** Adapter of Python. */
import type { Language } from '../language.ts';
import { createIndentLayout } from '../layout/layout.ts';
import { isFormattingOnly } from './formatting-only.ts';
import { graph } from './graph.ts';
import { readImport } from './imports.ts';
import { pythonIssues } from './issue.ts';
import { prepare } from './prepare.ts';
import { registrations } from './registrations.ts';
import { traceback } from './traceback.ts';
import { readTypeName } from './type-names.ts';

/** Name and base of a class of tests, unlike a base class for tests, such as `class SimpleTestCase(TestCase)`. */
const TEST_NAME = /^Test[A-Z_]|[a-z]Tests?$/;
const TEST_BASE = /^class [^(]{1,200}\([^()]{0,200}\bTestCase\b/;

export const python: Language = {
  name: 'python',
  title: 'Python',
  monaco: 'python',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.py', '.pyi', '.pyw'],
    names: ['SConstruct', 'SConscript', 'wscript'],
    // Without `test`, which is often a command, and x_tests and x_spec, which may be statistics or specifications.
    tests: /^(test_.*|tests|conftest)$|[._-]test$|[.-](tests|spec)$/i,
    // sklearn.externals and joblib.externals, packages in astropy.extern, and the former `packages` of requests.
    vendored: /\/(?:externals|extern\/[^/]+|packages\/(?:urllib3|chardet|charade|idna|oreos))\//,
    // protoc, PLY.
    generated: /_pb2(?:_grpc)?\.pyi?$|\/(?:parsetab|lextab)\.py$/,
    testMarks: /^tests?_|[._-](tests?|spec)$/g,
    // Sphinx's conf.py.
    documentation: ['conf'],
    index: '__init__',
  },
  grammar: 'tree-sitter-python/tree-sitter-python.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm'],
  tokens: ['tokens.scm'],
  prepare,
  example: { path: 'example.py', text: 'def f(x):\n    return x\n', name: 'f' },
  nodes: {
    comment: ['comment'],
    names: ['identifier'],
    members: { attribute: { object: 'object', name: 'attribute' } },
    calls: { call: { callee: 'function' } },
    wrappers: ['parenthesized_expression', 'await', 'list_splat'],
    literals: [
      'string',
      'concatenated_string',
      'integer',
      'float',
      'list',
      'tuple',
      'set',
      'dictionary',
      'list_comprehension',
      'set_comprehension',
      'dictionary_comprehension',
      'generator_expression',
      'true',
      'false',
      'none',
      'ellipsis',
    ],
  },
  layout: createIndentLayout(8),
  isTest: ({ header, name }) => TEST_NAME.test(name) && TEST_BASE.test(header),
  text: {
    headers: [
      /[ \t]*(?:async[ \t]+)?def[ \t]+(?<function>[\p{L}\p{N}_]+)[ \t]*[([]/uy,
      /[ \t]*class[ \t]+(?<class>[\p{L}\p{N}_]+)[ \t]*[:([]/uy,
    ],
    soundHeaders: [
      // A condition around definitions is a namespace without a name.
      /(?:if|elif|else|try|except|finally|with|for|while)\b[^\n]*:(?<namespace>)[ \t]*(?:#[^\n]*)?\r?$/my,
    ],
    decorator: /[ \t]*@/y,
    outlineHeader: (header) => (header.endsWith('...') ? header : `${header} ...`),
    isFormattingOnly,
  },
  names: {
    constructors: ['__init__'],
    runsOnConstruction: (name) => /^__(?:init|new|call|post_init)__$/.test(name),
    isPrivate: (name) => /^_[^_.][^.]*$/.test(name),
    isSpecial: (name) => /^__(?!init__)[^.]+__$/.test(name),
  },
  readImport,
  readTypeName,
  graph,
  registrations,
  traceback,
  issue: pythonIssues,
};
