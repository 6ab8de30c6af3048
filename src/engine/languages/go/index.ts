/** Adapter of Go. */
import type { Language } from '../language.ts';
import { BRACE_END, createIndentLayout } from '../layout/layout.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { graph } from './graph.ts';
import { readImport } from './imports.ts';
import { goIssues } from './issue.ts';
import { registrations } from './registrations.ts';
import { traceback } from './traceback.ts';
import { readTypeName } from './type-names.ts';

export const go: Language = {
  name: 'go',
  title: 'Go',
  monaco: 'go',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.go'],
    names: [],
    tests: /_test$/,
    // The go command treats any folder `vendor` as copies, as Godeps did before it.
    vendored: /\/(?:vendor|godeps)\//,
    // protoc-gen-go, its gateway and validation plugins.
    generated: /\.pb(?:\.gw|\.validate)?\.go$/,
    testMarks: /(?:_external|_internal)?_test$/g,
    documentation: [],
    index: null,
  },
  grammar: 'tree-sitter-go/tree-sitter-go.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm'],
  tokens: ['tokens.scm'],
  example: {
    path: 'example.go',
    text: 'package example\n\nfunc f(x int) int {\n\treturn x\n}\n',
    name: 'f',
  },
  nodes: {
    comment: ['comment'],
    names: ['identifier', 'type_identifier', 'field_identifier', 'package_identifier'],
    members: {
      selector_expression: { object: 'operand', name: 'field' },
      qualified_type: { object: 'package', name: 'name' },
    },
    calls: {
      call_expression: { callee: 'function' },
      type_conversion_expression: { callee: 'type' },
      composite_literal: { callee: 'type' },
      type_assertion_expression: { callee: 'type' },
    },
    // An element has the type name of its container; see type-names.ts.
    wrappers: [
      'parenthesized_expression',
      'unary_expression',
      'pointer_type',
      'generic_type',
      'index_expression',
      'slice_expression',
    ],
    literals: [
      'interpreted_string_literal',
      'raw_string_literal',
      'rune_literal',
      'int_literal',
      'float_literal',
      'imaginary_literal',
      'true',
      'false',
      'nil',
      'iota',
    ],
  },
  layout: createIndentLayout(4, /^[)}]/, BRACE_END),
  text: {
    headers: [
      /func[ \t]+(?:\((?:[\p{L}_][\p{L}\p{N}_]*[ \t]+)?\*?(?<owner>[\p{L}_][\p{L}\p{N}_]*)(?:\[[^\]\n]*\])?\)[ \t]*)?(?<function>[\p{L}_][\p{L}\p{N}_]*)[ \t]*[([]/uy,
      /type[ \t]+(?<class>[\p{L}_][\p{L}\p{N}_]*)(?:\[[^\]\n]*\])?[ \t]+(?:struct|interface)\b/uy,
    ],
    decorator: null,
    outlineHeader: (header) => header.replace(/(?<!\s)\s*\{$/, ''),
    isFormattingOnly: isSameExceptSpace,
  },
  names: {
    initials: true,
    constructors: [],
    runsOnConstruction: () => false,
    isPrivate: (name) => /^[\p{Ll}_][^.]*$/u.test(name) && !isSpecial(name),
    isSpecial,
  },
  readImport,
  readTypeName,
  graph,
  registrations,
  traceback,
  issue: goIssues,
};

/** Returns true for functions that the Go runtime or tools call. */
function isSpecial(name: string): boolean {
  return name === 'init' || name === 'main';
}
