/** Adapter of Java. */
import type { Language } from '../language.ts';
import { createBraceLayout } from '../layout/brace-layout.ts';
import { createTypeReader } from '../nominal-types.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { argumentForms } from './arguments.ts';
import { graph } from './graph.ts';
import { javaIssues } from './issue.ts';
import { registrations } from './registrations.ts';
import { traceback } from './traceback.ts';

export const java: Language = {
  name: 'java',
  title: 'Java',
  monaco: 'java',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.java'],
    names: [],
    tests: /(?:^|[\p{Ll}\p{N}_])(?:Tests?|TestCase|IT|ITCase|Spec)$|^Test(?=\p{Lu})/u,
    testMarks: /(?:Tests?|TestCase|IT|ITCase|Spec)$|^Test(?=\p{Lu})/gu,
    // Source sets of Maven and Gradle.
    testFolders: /\/src\/(?:\w*tests?|it|testfixtures)\//,
    documentation: [],
    index: 'package-info',
  },
  grammar: 'tree-sitter-java/tree-sitter-java.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm'],
  tokens: ['tokens.scm'],
  example: { path: 'Example.java', text: 'class Example {\n  void f() {\n  }\n}\n', name: 'f' },
  nodes: {
    comment: ['block_comment', 'line_comment'],
    decorators: ['annotation', 'marker_annotation'],
    names: ['identifier', 'type_identifier', 'scoped_type_identifier', 'this', 'super'],
    members: {
      field_access: { object: 'object', name: 'field' },
      scoped_identifier: { object: 'scope', name: 'name' },
    },
    calls: { object_creation_expression: { callee: 'type' } },
    invocations: { method_invocation: { object: 'object', name: 'name' } },
    // The first child of a cast is its type, whose methods the value has.
    wrappers: ['parenthesized_expression', 'generic_type', 'cast_expression', 'annotated_type'],
    literals: [
      'string_literal',
      'character_literal',
      'decimal_integer_literal',
      'decimal_floating_point_literal',
      'hex_integer_literal',
      'array_creation_expression',
      'class_literal',
      'true',
      'false',
      'null_literal',
      'block_comment',
    ],
  },
  // Labels may have any indentation.
  layout: createBraceLayout(4, /^\w+:$/),
  text: {
    headers: [
      /[ \t]*(?:(?:public|protected|private|abstract|static|final|sealed|non-sealed|strictfp)[ \t]+)*(?:@interface|class|interface|enum|record(?=[ \t]+\w+[ \t]*[(<]))[ \t]+(?<class>[\p{L}_$][\p{L}\p{N}_$]*)/uy,
      /[ \t]+(?:(?:public|protected|private|abstract|static|final|synchronized|native|default|strictfp)[ \t]+)*(?:<[^()\n;]{1,200}>[ \t]*)?(?!(?:return|new|throw|else|case|yield|assert|package|import)\b)[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^()\n;]{0,200}>)?(?:\[\])*[ \t]+(?<function>[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*\(/uy,
      /[ \t]+(?:public|protected|private)[ \t]+(?<function>[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*\(/uy,
    ],
    soundHeaders: [
      // Methods with annotations among modifiers; constructors without modifiers; enum constants with a body.
      /[ \t]+(?:(?:public|protected|private|abstract|static|final|synchronized|native|default|strictfp|@[\w.]+(?:\([^()\n]{0,100}\))?)[ \t]+)*(?:<[^()\n;]{1,200}>[ \t]*)?(?!(?:return|new|throw|else|case|yield|assert|package|import)\b)[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^()\n;]{0,200}>)?(?:\[\])*[ \t]+(?<function>[\p{L}_$][\p{L}\p{N}_$]*)[ \t]*\(/uy,
      /[ \t]+(?!(?:if|for|while|switch|catch|try|super|this|return|synchronized)\b)(?<function>\p{Lu}[\p{L}\p{N}_$]*)\((?=\r?$|[^;\n]{0,300}\{\r?$|(?:final |@\w{1,40} ){0,3}[\p{L}\p{N}_$.<>?[\], ]{1,100} [\p{L}\p{N}_$]{1,80},[^;\n]{0,200}\r?$)/muy,
      /[ \t]+(?<class>\p{Lu}[\p{Lu}\p{N}_]*)(?:\([^;\n]{0,200}\))?[ \t]*\{[ \t]*\r?$/muy,
    ],
    decorator: /[ \t]*@(?!interface\b)/y,
    outlineHeader: (header) => header.replace(/(?<!\s)\s*\{$/, ';'),
    isFormattingOnly: isSameExceptSpace,
  },
  names: {
    initials: true,
    constructors: 'named as their class',
    splitName: (written) => written.split('.'),
    runsOnConstruction: (name, className) => name === className,
    isPrivate: () => false,
    isSpecial: (name) =>
      /^(?:toString|equals|hashCode|compareTo|clone|finalize|(?:read|write)Object|readResolve|writeReplace)$/.test(
        name,
      ),
  },
  readImport({ from = '', member = '' }) {
    return { module: from.replace(/\s+/g, ''), level: 0, member, local: member };
  },
  arguments: argumentForms,
  readTypeName: createTypeReader(
    new Set([
      ...['boolean', 'byte', 'char', 'double', 'float', 'int', 'long', 'short'],
      ...['void', 'var', 'String', 'Object'],
    ]),
  ),
  graph,
  registrations,
  traceback,
  issue: javaIssues,
};
