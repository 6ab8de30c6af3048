/** Adapter of PHP, including templates. */
import type { Language } from '../language.ts';
import { createMacroLayout } from '../layout/macro-layout.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { graph, readImport } from './graph.ts';
import { phpIssues } from './issue.ts';
import { readTypeName, splitName } from './names.ts';
import { registrations } from './registrations.ts';

export const php: Language = {
  name: 'php',
  title: 'PHP',
  monaco: 'php',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.php', '.phtml', '.php3', '.php4', '.php5', '.php7', '.phps', '.inc'],
    names: [],
    // CartTest.php, CartTestCase.php, test-cart.php. Tests such as 0001.phpt are not PHP files.
    tests: /(?<=[a-z\d])Test(?:s|Case)?$|^test[-_]|[-_]test$|^Abstract\w*Test$/,
    // Written by Composer.
    vendored: /^\/vendor\//,
    testMarks: /(?<=[A-Za-z\d])Test(?:s|Case)?$|^test[-_]|[-_]test$/g,
    testFolders: /\/(?:test|fixtures)\//,
    documentation: [],
    index: null,
  },
  grammar: 'tree-sitter-php/tree-sitter-php.wasm',
  queries: ['definitions.scm', 'references.scm'],
  tokens: ['tokens.scm'],
  example: { path: 'example.php', text: '<?php\nfunction f($x) {\n    return $x;\n}\n', name: 'f' },
  nodes: {
    comment: ['comment'],
    decorators: ['attribute_list'],
    names: ['name', 'variable_name', 'qualified_name', 'relative_scope'],
    members: {
      member_access_expression: { object: 'object', name: 'name' },
      nullsafe_member_access_expression: { object: 'object', name: 'name' },
      scoped_property_access_expression: { object: 'scope', name: 'name' },
      class_constant_access_expression: { object: 'scope', name: 'name' },
    },
    calls: { function_call_expression: { callee: 'function' } },
    invocations: {
      member_call_expression: { object: 'object', name: 'name' },
      nullsafe_member_call_expression: { object: 'object', name: 'name' },
      scoped_call_expression: { object: 'scope', name: 'name' },
    },
    wrappers: ['parenthesized_expression', 'clone_expression'],
    literals: [
      'string',
      'encapsed_string',
      'heredoc',
      'nowdoc',
      'integer',
      'float',
      'boolean',
      'null',
      'array_creation_expression',
    ],
  },
  layout: createMacroLayout(4),
  text: {
    headers: [
      /[ \t]*(?:(?:abstract|final|readonly)[ \t]+){0,3}(?:class|interface|trait|enum)[ \t]+(?<class>[\p{L}_][\p{L}\p{N}_]*)/uy,
      /[ \t]*(?:(?:abstract|final|public|protected|private|static)[ \t]+){0,5}function[ \t]+&?(?<function>[\p{L}_][\p{L}\p{N}_]*)[ \t]*\(/uy,
    ],
    decorator: /[ \t]*#\[/y,
    outlineHeader: (header) => `${(header.split('{', 1)[0] ?? '').replace(/;$/, '').trimEnd()};`,
    isFormattingOnly: isSameExceptSpace,
  },
  names: {
    splitName,
    initials: true,
    constructors: ['__construct'],
    runsOnConstruction: (name) => name === '__construct',
    isPrivate: (name) => /^_[^_.][^.]*$/.test(name),
    isSpecial: (name) => /^__(?!construct)[^.]+$/.test(name),
  },
  readImport,
  readTypeName,
  graph,
  registrations,
  traceback: {
    raise: /^\s*throw\s+new\s+\\?([A-Za-z_][\w\\]*)/,
    statement: /^\s*[\w($\\[]/,
    write: (frames, error) =>
      [
        `PHP Fatal error:  Uncaught ${error ?? 'Error'} in ${frames.at(-1)?.path}:${frames.at(-1)?.line}`,
        'Stack trace:',
        ...frames
          .toReversed()
          .slice(1)
          .map(({ path, line }, n) => `#${n} ${path}(${line}): ${frames.at(-1 - n)?.name}()`),
        `#${frames.length - 1} {main}`,
      ].join('\n'),
  },
  issue: phpIssues,
};
