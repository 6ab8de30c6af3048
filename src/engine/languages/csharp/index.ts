/** Adapter of C#. */
import { blankTornConditions } from '../conditionals.ts';
import type { Language } from '../language.ts';
import { createBraceLayout } from '../layout/brace-layout.ts';
import { createTypeReader } from '../nominal-types.ts';
import { isSameExceptSpace } from '../same-except-space.ts';
import { graph } from './graph.ts';
import { csharpIssues } from './issue.ts';
import { traceback } from './traceback.ts';

const nominal = createTypeReader(
  new Set([
    ...[
      'bool',
      'byte',
      'char',
      'decimal',
      'double',
      'float',
      'int',
      'long',
      'nint',
      'nuint',
      'object',
    ],
    ...['sbyte', 'short', 'string', 'uint', 'ulong', 'ushort', 'void', 'dynamic', 'var'],
    ...['String', 'Object', 'Task', 'ValueTask'],
  ]),
);
/** Task types, which stand for the type of their result. */
const TASK = /^(?:System\.Threading\.Tasks\.)?(?:Value)?Task<(?<result>.*)>$/s;

export const csharp: Language = {
  name: 'csharp',
  title: 'C#',
  monaco: 'csharp',
  folder: new URL('./', import.meta.url),
  files: {
    extensions: ['.cs'],
    names: [],
    tests: /(?:^|[\p{Ll}\p{N}_.])(?:Tests?|TestCase|Specs?|TestFixture)$/u,
    // Visual Studio's designers, source generators, XAML.
    generated: /\.(?:designer|g|g\.i)\.cs$/,
    testMarks: /[._]?(?:Tests?|TestCase|Specs?|TestFixture)$/gu,
    // The projects of a solution: `Shop.Tests`, `UnitTests`.
    testFolders: /\/(?:[^/]*\.)?(?:unit|integration|functional|acceptance)?_?(?:tests?|specs)\//,
    documentation: [],
    index: null,
  },
  grammar: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  queries: ['definitions.scm', 'references.scm', 'bindings.scm'],
  tokens: ['tokens.scm'],
  prepare: blankTornConditions,
  example: {
    path: 'Example.cs',
    text: 'class Example\n{\n    void F()\n    {\n    }\n}\n',
    name: 'F',
  },
  nodes: {
    comment: ['comment'],
    decorators: ['attribute_list'],
    names: ['identifier', 'this', 'base'],
    members: {
      member_access_expression: { object: 'expression', name: 'name' },
      conditional_access_expression: { object: 'condition', name: 1 },
      qualified_name: { object: 'qualifier', name: 'name' },
    },
    calls: {
      invocation_expression: { callee: 'function' },
      object_creation_expression: { callee: 'type' },
      // A cast returns an instance of its type, like a call of the type.
      cast_expression: { callee: 'type' },
      as_expression: { callee: 'right' },
    },
    wrappers: [
      'parenthesized_expression',
      'generic_name',
      'await_expression',
      'checked_expression',
      // a!
      'postfix_unary_expression',
    ],
    literals: [
      'string_literal',
      'verbatim_string_literal',
      'raw_string_literal',
      'raw_string_content',
      'interpolated_string_expression',
      'string_content',
      'character_literal',
      'integer_literal',
      'real_literal',
      'boolean_literal',
      'null_literal',
      'array_creation_expression',
      'typeof_expression',
      'comment',
    ],
  },
  // Directives and labels may have any indentation.
  layout: createBraceLayout(4, /^(?:#|\w+:$)/),
  text: {
    headers: [
      /[ \t]*(?:(?:public|protected|private|internal|file|abstract|static|sealed|partial|readonly|ref|unsafe|new)[ \t]+)*(?:class|interface|enum|struct|record(?:[ \t]+(?:class|struct))?(?=[ \t]+\w+[ \t]*[(<:{\r\n]))[ \t]+(?<class>@?[\p{L}_][\p{L}\p{N}_]*)/uy,
      /[ \t]+(?:(?:public|protected|private|internal|abstract|static|sealed|partial|readonly|virtual|override|async|extern|unsafe|new)[ \t]+)*(?!(?:return|new|throw|else|case|yield|await|using|namespace|goto|in|is|as|out|ref)\b)[\p{L}_][\p{L}\p{N}_.]*(?:<[^()\n;]{0,200}>)?\??(?:\[\])*[ \t]+(?<function>[\p{L}_][\p{L}\p{N}_]*)[ \t]*(?:<[^()\n;]{0,200}>)?\(/uy,
      /[ \t]+(?:public|protected|private|internal|static)[ \t]+(?<function>[\p{L}_][\p{L}\p{N}_]*)[ \t]*\(/uy,
    ],
    soundHeaders: [
      // Methods that return tuples and arrays, explicit implementations, properties.
      /[ \t]+(?:(?:public|protected|private|internal|abstract|static|sealed|partial|readonly|virtual|override|async|extern|unsafe|new)[ \t]+)*(?!(?:return|new|throw|else|case|yield|await|using|namespace|goto|in|is|as|out|ref|var)\b)(?:\((?:[^()\n;]|\([^()\n;]{0,200}\)){1,200}\)|[\p{L}_][\p{L}\p{N}_.:]*(?:<[^\n;{}=]{0,300}>)?)(?:\?|\[[,\]]*)*[ \t]+(?:[\p{L}_][\p{L}\p{N}_.:]*(?:<[^()\n;]{0,100}>)?\.)?(?<function>[\p{L}_][\p{L}\p{N}_]*)[ \t]*(?:<[^()\n;]{0,200}>)?\(/uy,
      /[ \t]+(?:(?:public|protected|private|internal|abstract|static|sealed|partial|readonly|virtual|override|async|extern|unsafe|new)[ \t]+)+(?!(?:return|new|throw|else|case|yield|await|using|namespace|goto|in|is|as|out|ref|var)\b)(?:\((?:[^()\n;]|\([^()\n;]{0,200}\)){1,200}\)|[\p{L}_][\p{L}\p{N}_.:]*(?:<[^\n;{}=]{0,300}>)?)(?:\?|\[[,\]]*)*[ \t]+(?<function>[\p{L}_][\p{L}\p{N}_]*)[ \t]*(?:\{[ \t]*|=>[^\n]*)?\r?$/muy,
    ],
    decorator: /[ \t]*\[[^\n]*\][ \t\r]*$/y,
    outlineHeader: (header) => header.replace(/(?<!\s)\s*(?:\{|=>)$/, ';'),
    isFormattingOnly: isSameExceptSpace,
  },
  names: {
    initials: true,
    constructors: 'named as their class',
    splitName: (written) => simplifyName(written).split('.').filter(Boolean),
    runsOnConstruction: (name, className) => name === className,
    isPrivate: () => false,
    isSpecial: (name) =>
      /^(?:ToString|Equals|GetHashCode|CompareTo|Dispose|DisposeAsync|GetEnumerator)$/.test(name),
  },
  readImport({ from = '', alias }) {
    const module = simplifyName(from);
    const dot = module.lastIndexOf('.');
    if (alias === undefined) return { module, level: 0, member: '*', local: '*' };
    return {
      module: module.slice(0, Math.max(0, dot)),
      level: 0,
      member: module.slice(dot + 1),
      local: alias,
    };
  },
  readTypeName(annotation) {
    const type = annotation.replace(/^global::/, '').replaceAll('@', '');
    return nominal(TASK.exec(type)?.groups?.result ?? type);
  },
  graph,
  traceback,
  issue: csharpIssues,
};

/** Returns a name without type arguments and without the `@` that makes a keyword a name. */
function simplifyName(written: string): string {
  return written
    .replace(/^global::/, '')
    .replace(/<.*/s, '')
    .replace(/[@\s?]+/g, '');
}
