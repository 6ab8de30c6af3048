/** Adapters of JavaScript, TypeScript, and TypeScript with JSX, which only differ in their grammars. */
import type { Language } from '../language.ts';
import { BRACE_END, createIndentLayout } from '../layout/layout.ts';
import { isFormattingOnly } from './formatting-only.ts';
import { graph } from './graph.ts';
import { readImport } from './imports.ts';
import { javascriptIssues } from './issue.ts';
import { registrations } from './registrations.ts';
import { traceback } from './traceback.ts';
import { readTypeName } from './type-names.ts';
import { unnamedExports } from './unnamed.ts';

const FILES: Omit<Language['files'], 'extensions'> = {
  names: [],
  // foo.test.ts, foo.spec.ts, foo.test-d.ts, foo_test.ts, test-utils.ts
  tests:
    /[._-](?:test|tests|spec|specs|cy|e2e|e2e-spec|test-d|spec-d)$|^(?:tests?[._-].*|tests?|specs?|(?:jest|vitest|mocha|karma|cypress|playwright)[._-].*|setuptests)$|\.mocks?$/i,
  examples: /\.(?:bench|stories|story)$/i,
  // A package's own tests, in any folder of a workspace.
  testFolders: /\/(?:test|spec|specs|e2e|cypress|__mocks__)\//,
  // Copies for pages, without a shop's `components/vendor`; files with a version number in their names; Node's `deps`.
  vendored:
    /^\/(?:vendor|deps)\/|\/(?:static|assets|public|javascripts?|js|scripts|libs?)\/vendor\/|[-.]\d+\.\d+\.\d+(?:\.[a-z]+)*\.js$/,
  // Minifiers, protoc, and the output folder `dist` of bundlers, except in `src`, where it is an ordinary name.
  generated: /[.-]min\.[cm]?js$|[._]pb\.(?:d\.)?[jt]s$|^\/(?:(?!src\/)[^/]+\/)*dist\//,
  minified: true,
  testMarks: /^tests?[._-]|[._-](?:tests?|specs?|cy|e2e|e2e-spec|test-d)$|\.mocks?$/g,
  documentation: ['docusaurus.config', 'vocs.config', 'astro.config'],
  index: 'index',
};

const NODES: Language['nodes'] = {
  comment: ['comment'],
  decorators: ['decorator'],
  names: [
    'identifier',
    'property_identifier',
    'private_property_identifier',
    'shorthand_property_identifier_pattern',
    'type_identifier',
    'this',
    'super',
  ],
  members: {
    member_expression: { object: 'object', name: 'property' },
    nested_identifier: { object: 'object', name: 'property' },
    nested_type_identifier: { object: 'module', name: 'name' },
  },
  calls: {
    call_expression: { callee: 'function' },
    new_expression: { callee: 'constructor' },
  },
  wrappers: [
    'parenthesized_expression',
    'await_expression',
    'non_null_expression',
    'instantiation_expression',
    'satisfies_expression',
  ],
  literals: [
    'string',
    'template_string',
    'number',
    'regex',
    'array',
    'object',
    'true',
    'false',
    'null',
    'undefined',
    'jsx_text',
  ],
};

const SHARED: Omit<
  Language,
  'name' | 'title' | 'monaco' | 'files' | 'grammar' | 'queries' | 'tokens' | 'example'
> = {
  folder: new URL('./', import.meta.url),
  nodes: NODES,
  layout: createIndentLayout(4, /^[})\]]/, BRACE_END),
  text: {
    headers: [
      /[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:async[ \t]+)?function\b[ \t]{0,8}\*?[ \t]{0,8}(?<function>[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*[(<]/uy,
      /[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:class|interface|enum)[ \t]+(?!extends\b)(?<class>[\p{L}_$][\p{L}\p{N}_$]*)/uy,
      /[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+(?<function>[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*=[ \t]*(?:async[ \t]+)?(?:function\b|\([^()\n]{0,300}\)[ \t]*(?::[^=\n]{0,200})?=>|[\p{L}_$][\p{L}\p{N}_$]*[ \t]*=>)/uy,
      /[ \t]+(?:(?:public|private|protected|static|override|async|get|set)[ \t]+){0,4}(?!(?:if|for|while|switch|catch|with|function|return)\b)(?<function>#?[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*\([^\n;]{0,300}\{[ \t]*$/muy,
    ],
    soundHeaders: [
      // A constant whose value is a function, on the same line or below.
      /[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+(?<function>[\p{L}_$][\p{L}\p{N}_$]*)\b(?=[^\n]{0,300}(?:=>|\bfunction\b)|[^=\n]{0,200}=[ \t]*(?:(?:async[ \t]*)?(?:\(\{?[ \t]*|<[^\n]{0,200}))?\r?$)/muy,
      // Objects with functions.
      /[ \t]*(?:(?:export[ \t]+)?(?:const|let|var)[ \t]+|(?!(?:module|this)\.)(?:[\p{L}_$][\p{L}\p{N}_$]*\.){0,6}?)(?<class>[\p{L}_$][\p{L}\p{N}_$]*)(?:\.prototype)?[ \t]*(?::[^=\n]{1,200})?=[ \t]*(?:Class(?:\.create)?\()?\{[ \t]*\r?$/muy,
      // An unnamed default export.
      /[ \t]*export[ \t]+(?<class>default)[ \t]+\{[ \t]*\r?$/muy,
      /[ \t]*export[ \t]+(?<function>default)[ \t]+(?:async[ \t]+)?(?:function\b|class\b|\(|[\p{L}_$][\p{L}\p{N}_$]*[ \t]*=>)/uy,
      /[ \t]*module\.exports[ \t]*=[ \t]*\{(?<namespace>)[ \t]*\r?$/muy,
      /[ \t]*(?:module\.)?exports\.(?<function>[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*=[ \t]*(?:async[ \t]+)?(?:function\b|\(|[\p{L}_$][\p{L}\p{N}_$]*[ \t]*=>)/uy,
      // Functions that are assigned to a member: `A.prototype.f = function`.
      /[ \t]*(?!(?:module|exports|this)\.)(?:[\p{L}_$][\p{L}\p{N}_$]*\.){0,6}?(?<owner>[\p{L}_$][\p{L}\p{N}_$]*)\.(?:prototype\.)?(?<function>[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*=[ \t]*(?:async[ \t]+)?(?:function\b|\([^()\n]{0,300}\)[ \t]*=>|[\p{L}_$][\p{L}\p{N}_$]*[ \t]*=>)/uy,
      // Members: generators, with parameters over several lines, bound with `=` or `:`.
      /[ \t]+(?:(?:public|private|protected|static|override|readonly|async|get|set)[ \t]+){0,4}(?:\*[ \t]*)?(?!(?:if|for|while|switch|catch|with|function|return|super)\b)(?<function>#?[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*(?:<[^()\n]{1,200}>)?\((?:[^\n;]{0,300}[{,(])?[ \t]*\r?$/muy,
      /[ \t]+(?:(?:public|private|protected|static|override|readonly)[ \t]+){0,4}(?<function>#?[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*(?:[?!]?:[^=\n]{1,200}=|[:=])[ \t]*(?:async[ \t]*)?(?:function\b|\([^()\n]{0,300}\)[ \t]*(?::[^=\n]{0,200})?=>|\(\{?[ \t]*\r?$|[\p{L}_$][\p{L}\p{N}_$]*[ \t]*=>)/muy,
      /[ \t]+(?<class>[\p{L}_$][\p{L}\p{N}_$]*):[ \t]*\{[ \t]*\r?$/muy,
    ],
    decorator: /[ \t]*@[\p{L}_$]/uy,
    outlineHeader: (header) =>
      header.endsWith('{') ? `${header.slice(0, -1).trimEnd()};` : header,
    isFormattingOnly,
  },
  names: {
    unnamed: unnamedExports,
    initials: true,
    constructors: ['constructor'],
    runsOnConstruction: (name) => name === 'constructor',
    isPrivate: (name) => /^[#_][^.]*$/.test(name),
    isSpecial: (name) => /^(?:\[Symbol\.\w+\]|toString|toJSON|valueOf)$/.test(name),
  },
  readImport,
  readTypeName,
  graph,
  registrations,
  traceback,
  issue: javascriptIssues,
};

export const javascript: Language = {
  ...SHARED,
  name: 'javascript',
  title: 'JavaScript',
  monaco: 'javascript',
  files: { ...FILES, extensions: ['.js', '.mjs', '.cjs', '.jsx'] },
  grammar: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm', 'javascript.scm', 'jsx.scm'],
  tokens: ['javascript-tokens.scm', 'jsx-tokens.scm', 'tokens.scm'],
  example: { path: 'example.js', text: 'function f(x) {\n  return x;\n}\n', name: 'f' },
};

export const typescript: Language = {
  ...SHARED,
  name: 'typescript',
  title: 'TypeScript',
  monaco: 'typescript',
  files: { ...FILES, extensions: ['.ts', '.mts', '.cts'] },
  grammar: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm', 'typescript.scm'],
  tokens: ['typescript-tokens.scm', 'tokens.scm'],
  example: { path: 'example.ts', text: 'function f(x: X): X {\n  return x;\n}\n', name: 'f' },
};

export const tsx: Language = {
  ...SHARED,
  name: 'tsx',
  title: 'TypeScript JSX',
  monaco: 'typescript',
  files: { ...FILES, extensions: ['.tsx'] },
  grammar: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm', 'typescript.scm', 'jsx.scm'],
  tokens: ['typescript-tokens.scm', 'jsx-tokens.scm', 'tokens.scm'],
  example: { path: 'example.tsx', text: 'function F(x: X) {\n  return <x />;\n}\n', name: 'F' },
};
