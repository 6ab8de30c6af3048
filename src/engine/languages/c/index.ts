/** Adapters of C and C++. Headers (`.h`) are parsed as C++, because its grammar makes fewer errors, even in headers of C. */
import type { Language } from '../language.ts';
import { createMacroLayout } from '../layout/macro-layout.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { rewritePhpMethods } from './defining-macros.ts';
import { graph } from './graph.ts';
import { cIssues } from './issue.ts';
import { removeLoneMacros } from './lone-macros.ts';
import { splitName } from './names.ts';
import { prepare } from './prepare.ts';
import { traceback } from './traceback.ts';
import { readTypeName } from './type-names.ts';

const shared = {
  folder: new URL('./', import.meta.url),
  layout: createMacroLayout(8),
  prepare,
  text: {
    headers: [
      // System calls of Linux, and methods of PHP's extensions.
      /(?:[A-Z0-9]{1,40}_){0,4}SYSCALL_DEFINE[0-6]\([ \t]*(?<function>\w{1,80})/y,
      /[A-Z][A-Z0-9]{1,40}_METHOD\([ \t]*(?<owner>\w{1,80})[ \t]*,[ \t]*(?<function>\w{1,80})/y,
      /[ \t]*(?:typedef[ \t]+)?(?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+(?:[A-Z][A-Z0-9_]{1,60}[ \t]+)?(?<class>\w{1,100})(?:[ \t]+final)?[ \t]{0,20}(?:(?::(?!:)[^;\n]{0,300})?\{|(?:\/[/*].*)?$)/my,
      /(?!(?:typedef|return|else|using|goto|delete|new|throw|case|namespace|extern[ \t]+")\b)(?!(?!TEST|SCENARIO|BENCHMARK)[A-Z][A-Z0-9_]{1,80}[ \t]{0,8}\([^\n]{0,300}(?<!\{)$)(?:[A-Za-z_][\w:<>,*& \t]{0,100}[ \t*&])?(?:(?<owner>\w{1,80})(?:<[\w, ]{0,40}>)?::)?(?!(?:if|for|while|switch|sizeof|operator)\b)(?<function>~?[A-Za-z_]\w{0,100})[ \t]{0,8}\((?=[^;\n]{0,300}(?<![,\\])$)/my,
      /[ \t]+(?!(?:typedef|return|else|using|goto|delete|new|throw|case)\b)[A-Za-z_][\w:<>,*& \t]{0,80}[ \t*&](?!(?:if|for|while|switch|sizeof|operator)\b)(?<function>~?[A-Za-z_]\w{0,100})[ \t]{0,8}\((?=[^;\n]{0,300}\{[ \t]*$)/my,
    ],
    soundHeaders: [
      /(?!(?:typedef|return|else|using|goto|delete|new|throw|case|namespace|extern[ \t]+")\b)(?![A-Z][A-Z0-9_]{1,80}[ \t]{0,8}\()(?:[A-Za-z_][\w:<>,*& \t]{0,200}[ \t*&])?(?:\w{1,80}(?:<[\w:, *]{0,80}>)?::){0,6}?(?:(?<owner>\w{1,80})(?:<[\w:, *]{0,80}>)?::)?(?!(?:if|for|while|switch|sizeof)\b)(?<function>operator(?:\(\)|[^\s\w(]{1,3})|~?[A-Za-z_]\w{0,100})[ \t]{0,8}\((?=[^;\n]{0,300}\r?$)/my,
      /[ \t]+(?!(?:typedef|return|else|using|goto|delete|new|throw|case)\b)[A-Za-z_][\w:<>,*& \t]{0,120}[ \t*&](?!(?:if|for|while|switch|sizeof)\b)(?<function>operator(?:\(\)|[^\s\w(]{1,3})|~?[A-Za-z_]\w{0,100})[ \t]{0,8}\((?=[^;{}\n]{0,300}(?:[,(]|\)[ \w]{0,40})\r?$)/my,
      // Types whose brace is on the next line, and specializations.
      /[ \t]*(?:class|struct)[ \t]+(?:[A-Z][A-Z0-9_]{1,60}[ \t]+)?(?<class>\w{1,100})(?:<[^;{\n]{1,200}>)?(?:[ \t]+final)?[ \t]{0,20}(?::(?!:)[^;\n]{0,300})?\r?$/my,
      /[ \t]*(?:class|struct)[ \t]+(?<class>\w{1,100})<[^;{\n]{1,200}>[ \t]{0,20}(?::(?!:)[^;\n]{0,300})?\{/y,
      // Multi-line macros.
      /[ \t]*#[ \t]*define[ \t]+(?<function>\w{1,100})\((?=[^\n]{0,300}\\\r?$)/my,
    ],
    decorator: null,
    outlineHeader: (header: string) =>
      `${(header.split('{', 1)[0] ?? '').replace(/;$/, '').trimEnd()};`,
    isFormattingOnly: isSameExceptSpace,
  },
  graph,
  traceback,
  issue: cIssues,
  readTypeName,
  readImport: ({ from = '' }: Readonly<Record<string, string | undefined>>) => ({
    module: from.replace(/[<>]/g, ''),
    level: 0,
    member: '*',
    local: '*',
  }),
};

const nodes = {
  comment: ['comment'],
  names: ['identifier', 'field_identifier', 'type_identifier'],
  members: { field_expression: { object: 'argument', name: 'field' } },
  calls: { call_expression: { callee: 'function' } },
  wrappers: ['parenthesized_expression', 'pointer_expression', 'subscript_expression'],
  literals: [
    'string_literal',
    'concatenated_string',
    'char_literal',
    'number_literal',
    'true',
    'false',
    'null',
  ],
};

const files = {
  names: [],
  // test_foo.c, foo_test.cc, FooTest.cpp, tst-foo.c
  tests: /^(?:test|tests|tst|unit(?:test)?)[_-]|[_-](?:unit)?tests?$|[a-z]Tests?$|^tests?$/,
  testMarks: /^(?:test|tests|tst|unit(?:test)?)[_-]|[_-](?:unit)?tests?$|(?<=[a-z])Tests?$/g,
  testFolders: /\/(?:test|unit|unittests?|regress)\//,
  // Folders of submodules and copies, since there is no package manager. Only at the top: below, they may be interfaces.
  vendored: /^\/(?:vendor|deps|extern|externals?)\//,
  // protoc, FlatBuffers, Bison, Qt's moc, uic and rcc; amalgamated headers, as in nlohmann/json and simdjson.
  generated:
    /^\/single_?(?:include|header)\/|\.pb\.(?:cc|h)$|_generated\.h$|\.tab\.(?:c|h|cc|cpp|hh|hpp)$|\/(?:moc|qrc|ui)_[^/]*\.(?:cpp|h)$/,
  documentation: [],
  index: null,
};

export const c: Language = {
  ...shared,
  name: 'c',
  title: 'C',
  monaco: 'c',
  files: { ...files, extensions: ['.c'] },
  grammar: 'tree-sitter-c/tree-sitter-c.wasm',
  queries: ['definitions.scm', 'c-definitions.scm', 'references.scm'],
  tokens: ['tokens.scm'],
  prepare: (text) => removeLoneMacros(rewritePhpMethods(prepare(text))),
  example: { path: 'example.c', text: 'int f(int x) {\n  return x;\n}\n', name: 'f' },
  nodes,
  names: {
    splitName,
    initials: true,
    constructors: [],
    runsOnConstruction: () => false,
    isPrivate: (name) => /^_[^.]*$/.test(name),
    isSpecial: (name) => name === 'main',
  },
};

export const cpp: Language = {
  ...shared,
  name: 'cpp',
  title: 'C++',
  monaco: 'cpp',
  files: {
    ...files,
    extensions: [
      '.h',
      '.cc',
      '.cpp',
      '.cxx',
      '.c++',
      '.hh',
      '.hpp',
      '.hxx',
      '.h++',
      '.inl',
      '.ipp',
      '.tpp',
      '.txx',
      '.cu',
      '.cuh',
    ],
  },
  grammar: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  queries: ['definitions.scm', 'cpp-definitions.scm', 'references.scm', 'cpp-references.scm'],
  tokens: ['cpp-tokens.scm', 'tokens.scm'],
  example: { path: 'example.cc', text: 'int f(int x) {\n  return x;\n}\n', name: 'f' },
  nodes: {
    ...nodes,
    names: [
      ...nodes.names,
      'namespace_identifier',
      'qualified_identifier',
      'template_type',
      'this',
    ],
    calls: { ...nodes.calls, new_expression: { callee: 'type' } },
    wrappers: [...nodes.wrappers, 'template_function', 'template_method'],
    literals: [...nodes.literals, 'raw_string_literal', 'lambda_expression'],
  },
  names: {
    splitName,
    initials: true,
    constructors: 'named as their class',
    runsOnConstruction: (name, className) => name === className,
    isPrivate: (name) => /^_[^.]*$/.test(name),
    isSpecial: (name) => name === 'main' || name.startsWith('operator') || name.startsWith('~'),
  },
};
