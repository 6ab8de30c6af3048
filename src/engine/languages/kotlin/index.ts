/** Adapter of Kotlin. */
import type { Language } from '../language.ts';
import { createBraceLayout } from '../layout/brace-layout.ts';
import { createTypeReader } from '../nominal-types.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { graph } from './graph.ts';
import { readImport } from './imports.ts';
import { kotlinIssues } from './issue.ts';
import { prepare } from './prepare.ts';
import { traceback } from './traceback.ts';

const LABELLED = 'this@';

/** Splits a name: `this@Outer` gives Outer, this; `super<Base>` and `super@Outer` give super; type arguments are left out. */
function splitName(written: string): string[] {
  if (written.startsWith('super')) return ['super'];
  if (written.startsWith(LABELLED)) return [written.slice(LABELLED.length), 'this'];
  return /[.<]/.test(written) && !written.includes('`')
    ? (createTypeReader(new Set())(written)?.name.split('.') ?? [written])
    : [written];
}

export const kotlin: Language = {
  name: 'kotlin',
  title: 'Kotlin',
  monaco: 'kotlin',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.kt', '.kts'],
    names: [],
    tests: /(?:^|[\p{Ll}\p{N}_])(?:Tests?|TestCase|IT|Spec)$|^Test(?=\p{Lu})/u,
    testMarks: /(?:Tests?|TestCase|IT|Spec)$|^Test(?=\p{Lu})/gu,
    // Source sets of Gradle, and of Amper, which has `test` next to `src` in the folder of a platform.
    testFolders:
      /\/src\/(?:\w*tests?|it|testfixtures)\/|\/(?:common|jvm|js|native|posix|darwin|web|wasmjs|android)\/test\//,
    documentation: [],
    index: null,
  },
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm'],
  tokens: ['tokens.scm'],
  prepare,
  example: { path: 'Example.kt', text: 'fun f(x: Int): Int {\n    return x\n}\n', name: 'f' },
  nodes: {
    comment: ['block_comment', 'line_comment'],
    decorators: ['annotation'],
    names: ['identifier', 'user_type', 'this_expression', 'super_expression'],
    members: { navigation_expression: { object: 0, name: -1 } },
    // `x as Foo` has the type of a call of Foo.
    calls: { call_expression: { callee: 0 }, as_expression: { callee: 'right' } },
    // Includes `x!!`.
    wrappers: ['parenthesized_expression', 'unary_expression'],
    literals: [
      'string_literal',
      'multiline_string_literal',
      'number_literal',
      'character_literal',
      'boolean_literal',
      'collection_literal',
      'lambda_literal',
      'block_comment',
    ],
  },
  layout: createBraceLayout(4),
  text: {
    headers: [
      /[ \t]*(?:(?:public|private|internal|protected|open|abstract|final|sealed|data|inner|value|inline|enum|annotation|fun|companion|expect|actual|external)[ \t]+)*(?:class|interface|object)[ \t]+(?<class>[\p{L}_][\p{L}\p{N}_]*)/uy,
      /[ \t]*(?:(?:public|private|internal|protected|open|abstract|final|override|suspend|inline|operator|infix|tailrec|expect|actual|external)[ \t]+)*fun[ \t]+(?:<[^()\n]{1,200}>[ \t]*)?(?:(?:[\p{L}_][\p{L}\p{N}_]*\.){0,8}(?<owner>[\p{L}_][\p{L}\p{N}_]*)(?:<[^()\n]{1,200}>)?\??\.)?(?<function>[\p{L}_][\p{L}\p{N}_]*|`[^`\n]{1,200}`)[ \t]*\(/uy,
    ],
    soundHeaders: [
      /[ \t]*(?:(?:public|private|internal|protected)[ \t]+)?companion[ \t]+object\b(?<namespace>)/y,
      // Enum constants with a body, and types whose names are in backquotes.
      /[ \t]+(?<class>\p{Lu}[\p{Lu}\p{N}_]*)(?:\([^;\n]{0,200}\))?[ \t]*\{[ \t]*\r?$/muy,
      /[ \t]*(?:(?:public|private|internal|protected|open|abstract|final|sealed|data|inner|value|inline|enum|annotation|companion|expect|actual|external)[ \t]+)*(?:class|interface|object)[ \t]+(?<class>`[^`\n]{1,200}`)/y,
    ],
    decorator: /[ \t]*@/y,
    outlineHeader: (header) => header.replace(/(?<!\s)\s*[{=]$/, ''),
    isFormattingOnly: isSameExceptSpace,
  },
  names: {
    splitName,
    initials: true,
    constructors: ['constructor'],
    runsOnConstruction: (name) => name === 'constructor',
    isPrivate: () => false,
    isSpecial: (name) =>
      /^(?:toString|equals|hashCode|compareTo|invoke|iterator|(?:get|set|provide)(?:Value|Delegate)|component\d+)$/.test(
        name,
      ),
  },
  readImport,
  // Built-in types can have extensions like any other type.
  readTypeName: createTypeReader(new Set()),
  graph,
  traceback,
  issue: kotlinIssues,
};
