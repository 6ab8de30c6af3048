/** Languages that are read by the tags of their grammars, one row each. */
import type { BuiltInRow } from './row.ts';

export const ROWS: readonly BuiltInRow[] = [
  {
    name: 'swift',
    title: 'Swift',
    extensions: ['.swift'],
    grammar: 'tree-sitter-swift/tree-sitter-swift.wasm',
    comments: ['comment', 'multiline_comment'],
    decorators: ['modifiers'],
    headers: {
      function: ['func'],
      class: ['class', 'struct', 'enum', 'protocol', 'extension', 'actor'],
    },
    constructors: ['init'],
    tests: ['*Tests', '*Test', '*Spec'],
    generated: ['*.pb.swift', '*.grpc.swift'],
    example: 'func f(x: Int) -> Int {\n  return x\n}\n',
  },
  {
    name: 'scala',
    title: 'Scala',
    extensions: ['.scala', '.sc', '.sbt'],
    grammar: 'tree-sitter-scala/tree-sitter-scala.wasm',
    comments: ['comment', 'block_comment'],
    decorators: ['annotation'],
    tabWidth: 2,
    headers: { function: ['def'], class: ['class', 'object', 'trait', 'enum'] },
    tests: ['*Spec', '*Test', '*Tests', '*Suite'],
    example: 'def f(x: Int): Int = x\n',
  },
  {
    name: 'dart',
    title: 'Dart',
    extensions: ['.dart'],
    grammar: 'tree-sitter-dart/tree-sitter-dart.wasm',
    comments: ['comment', 'documentation_comment'],
    decorators: ['annotation'],
    tabWidth: 2,
    headers: { class: ['class', 'mixin', 'enum', 'extension'] },
    tests: ['*_test'],
    generated: ['*.g.dart', '*.freezed.dart', '*.pb.dart', '*.mocks.dart'],
    example: 'int f(int x) {\n  return x;\n}\n',
  },
];
