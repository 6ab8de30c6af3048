/** Adapter of Rust. */
import type { Language } from '../language.ts';
import { BRACE_END, createIndentLayout } from '../layout/layout.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { graph } from './graph.ts';
import { readImport } from './imports.ts';
import { rustIssues } from './issue.ts';
import { prepare } from './prepare.ts';
import { registrations } from './registrations.ts';
import { traceback } from './traceback.ts';
import { readTypeName } from './type-names.ts';

/** Matches `#[cfg(test)]`, `#[cfg(all(test, unix))]`, `#[test]` and `#[tokio::test(…)]`. */
const TEST_ATTRIBUTE =
  /#\[\s{0,8}(?:cfg\(\s{0,8}(?:all\(\s{0,8})?test\b|(?:\w{1,40}::){0,4}test\b)/;

export const rust: Language = {
  name: 'rust',
  title: 'Rust',
  monaco: 'rust',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.rs'],
    names: [],
    tests: /^(?:tests?|.*_tests?)$/,
    // Written by `cargo vendor`.
    vendored: /^\/vendor\//,
    testMarks: /^tests?_|_tests?$/g,
    documentation: [],
    index: 'mod',
  },
  grammar: 'tree-sitter-rust/tree-sitter-rust.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm'],
  tokens: ['tokens.scm'],
  prepare,
  example: { path: 'example.rs', text: 'fn f(x: i32) -> i32 {\n    x\n}\n', name: 'f' },
  nodes: {
    comment: ['line_comment', 'block_comment'],
    names: [
      'identifier',
      'type_identifier',
      'field_identifier',
      'shorthand_field_identifier',
      'primitive_type',
      'self',
      'super',
      'crate',
    ],
    members: {
      field_expression: { object: 'value', name: 'field' },
      scoped_identifier: { object: 'path', name: 'name' },
      scoped_type_identifier: { object: 'path', name: 'name' },
    },
    calls: {
      call_expression: { callee: 'function' },
      macro_invocation: { callee: 'macro' },
      struct_expression: { callee: 'name' },
    },
    wrappers: [
      'parenthesized_expression',
      'try_expression',
      'await_expression',
      'unary_expression',
      'reference_expression',
      'generic_function',
      'generic_type',
      'generic_type_with_turbofish',
      'bracketed_type',
      'qualified_type',
    ],
    literals: [
      'string_literal',
      'raw_string_literal',
      'char_literal',
      'boolean_literal',
      'integer_literal',
      'float_literal',
      'array_expression',
      'tuple_expression',
      'unit_expression',
      'range_expression',
    ],
  },
  layout: createIndentLayout(4, /^[)}\]]/, BRACE_END),
  text: {
    headers: [
      /[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:default|const|async|unsafe|extern(?:[ \t]+"[^"\n]*")?)[ \t]+)*fn[ \t]+(?<function>[\p{L}_][\p{L}\p{N}_]*)/uy,
      /[ \t]*macro_rules![ \t]*(?<function>\w+)/y,
      /[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:unsafe[ \t]+)?(?:struct|enum|union|trait)[ \t]+(?<class>[\p{L}_][\p{L}\p{N}_]*)/uy,
      /[ \t]*(?:unsafe[ \t]+)?impl\b[^\n{]{0,300}?[ \t]for[ \t]+&?(?:'\w+[ \t]+)?(?:mut[ \t]+)?(?:dyn[ \t]+)?(?:\w+::)*(?<class>\w+)/y,
      /[ \t]*(?:unsafe[ \t]+)?impl(?:<[^\n{]{0,300}?>)?[ \t]+(?:\w+::)*(?<class>\w+)/y,
      /[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(?<namespace>\w+)[ \t]*\{/y,
    ],
    decorator: /[ \t]*#\[/y,
    outlineHeader: (header) => header.replace(/(?<!\s)\s*\{$/, ';'),
    isFormattingOnly: isSameExceptSpace,
  },
  names: {
    initials: true,
    constructors: [],
    runsOnConstruction: () => false,
    // Names do not tell whether an item is `pub`.
    isPrivate: () => false,
    isSpecial: (name) => name === 'main',
  },
  isTest: ({ before }) => TEST_ATTRIBUTE.test(before),
  readImport,
  readTypeName,
  graph,
  registrations,
  traceback,
  issue: rustIssues,
};
