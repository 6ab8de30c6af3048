/** Syntax of issues about C#: stack traces of .NET, compiler messages and snippets. */
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, ScriptBinding } from '../issue-syntax.ts';
import { findUses } from '../scripts.ts';
import { getFrameDefinition } from './frames.ts';

/** Qualified name with type arguments. */
const QUALIFIED =
  /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:<[^<>\n;(){}]{0,60}>)?(?:[?!]?\.|#|::)[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
const BETWEEN = /(?:<[^<>\n;(){}]{0,60}>)?(?:[?!]?\.|#|::)/g;
/** Qualified name. The pattern cannot fail after its first character, so it takes linear time. */
const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:[.#]|::)[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
const SEPARATOR = /[.#]|::/g;

export const csharpIssues: IssueSyntax = {
  codeLine:
    /^\s{0,24}(?:(?:global )?using (?:static )?[\w.]{1,200};|namespace [\w.]{1,200};?$|(?:public|private|protected|internal|static|async|override|sealed) .{1,200}[;{(,)]$|\[[A-Z]\w{0,60}(?:\(.{0,200}\))?\]$|(?:return|throw new|new|await) .{1,200};$|(?:if|for|foreach|while|switch|lock|using|catch) ?\(.{0,200}[{)]$|(?:var|[A-Z][\w.<>, ?[\]]{0,100}) \w{1,60} = .{1,200}|[\w.]{1,100}\(.{0,200}\);$|[})]{1,5};?$)/,
  // The prompt of the interactive compiler, `>`, is also Markdown's mark of a quotation.
  prompt: /(?!)/,
  input: /(?!)/,
  traceback: {
    begins:
      /^\s{0,20}(?:Unhandled [Ee]xception[.:] |-{3}> |at [^\s(]{1,300}\((?:[\w.`[\]&*,+]{1,100} \w[^()\n]{0,500})?\)(?: in .{1,400}:line \d{1,7})?\s{0,4}$|at [^\s(]{1,300} \([^()\n]{0,200}\) \[0x|[^\s(]{1,200} ?\([^()\n]{0,200}\) \(at [^\s()]{1,200}\.cs:\d)|^\s{0,8}[A-Z]\w{0,60}(?:\.[A-Z]\w{0,60}){1,12}(?<=Exception)(?:: |$)/,
    continues:
      /^\s{0,40}(?:$|at [\w<$]|-{3}> |-{3} End of |System\.\w|Unhandled [Ee]xception|[^\s(]{1,200} ?\([^()\n]{0,200}\) \(at )/,
  },
  innermost: 'first',
  frames: [
    // .NET; Mono, with an offset and without `line`; Unity: `Shop.Cart:Total(Int32) (at Assets/Cart.cs:12)`; compilers.
    /^[ \t>|]{0,20}at (?<method>[^\n(]{1,400})\([^\n()]{0,1000}\) in (?<path>(?:[A-Za-z]:)?[^\n:]{1,400}):line (?<line>\d{1,7})/gm,
    /^[ \t>|]{0,20}at (?<method>[^\s(]{1,400}) \([^\n()]{0,1000}\) \[0x[\da-f]{1,16}\] in (?<path>(?:[A-Za-z]:)?[^\n:<>]{1,400}):(?<line>\d{1,7})/gm,
    /^[ \t>|]{0,20}(?<method>[^\s(]{1,400}) ?\([^\n()]{0,1000}\) \(at (?<path>(?:[A-Za-z]:)?[^\n:()<>]{1,400}):(?<line>\d{1,7})\)/gm,
    /^[ \t]{0,20}(?:\d{1,3}>)?(?<path>(?:[A-Za-z]:)?[^\n:()<>"]{1,400}\.cs)\((?<line>\d{1,7}),\d{1,7}\): (?:error|warning) /gm,
  ],
  readFrame: ({ method, path = '' }) => ({
    path,
    name: method === undefined ? '' : getFrameDefinition(method.replace(':', '.')),
  }),
  moduleFrame: '<Main>$',
  error: /Exception(?: \(0x\w{1,16}\))?['"`*]{0,3}:[ \t]{1,4}(?<message>[^\n]{3,300})/g,
  environment: {
    heading: /^dotnet --(?:info|version)$/i,
    line: /^[-*>\s]{0,10}(?:\.NET(?: Core| Framework| SDK| runtime)?|dotnet|C#|Visual Studio)(?: version)?\s{0,3}[:=]/i,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: BETWEEN,
  // Only names in camelCase are special.
  specialName: /(?!)/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^(?:cs|c#|csharp)$/,
    expandName: (name) => `${name}Attribute`,
  }),
  sourceFile: /\.cs$/,
  sourceRoots: new Set(['src', 'Src', 'source']),
  getModule,
  readScript,
};

/** Returns the module of a file: `src/Shop.Core/Carts/Cart.cs` gives Shop/Core/Carts/Cart, since folders mostly match namespaces. */
export function getModule(path: string): string {
  return path
    .replace(/\.\w+$/, '')
    .replace(/^(?:src|source)\//i, '')
    .replaceAll('.', '/');
}

const IMPORT =
  /^\s{0,24}(?:global )?using (?:static )?(?:(?<alias>\w{1,60}) ?= ?)?(?<names>[\w.]{1,200});/gm;
const DECLARED =
  /\b(?<type>[A-Z][\w.]{0,200})(?:<[^;=\n]{0,200}>)?\?? (?<local>[a-z_]\w{0,60}) ?[=;:)]/g;
const MADE = /\bvar (?<local>[a-z_]\w{0,60}) ?= ?new (?<type>[A-Z][\w.]{0,200})/g;

/** Line that identifies code as C#. Other code is ignored. */
const STATEMENT = /[;{][ \t\r]{0,20}$/m;

function readScript(code: string): IssueScript {
  if (!STATEMENT.test(code)) return { bindings: [], uses: [] };
  const imports = Array.from(code.matchAll(IMPORT), ({ groups: { names = '', alias } = {} }) => {
    const path = names.split('.');
    return alias === undefined
      ? { kind: 'open' as const, path }
      : { kind: 'import' as const, local: alias, path };
  });
  const values = [DECLARED, MADE]
    .flatMap((form) => [...code.matchAll(form)])
    .map(({ groups: { type = '', local = '' } = {} }): ScriptBinding => {
      return { kind: 'value', local, path: type.split('.') };
    });
  return { bindings: [...imports, ...values], uses: findUses(code, NAME, SEPARATOR) };
}
