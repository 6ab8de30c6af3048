/** Syntax of issues about JavaScript and TypeScript: stacks of V8, Firefox, Safari and test runners, compiler errors, scripts. */

import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, ScriptBinding } from '../issue-syntax.ts';
import { findUses } from '../scripts.ts';

/** Qualified name: `a.b`, `a?.b`, `A#b`, `A<T>.b` and `A.prototype.b`. */
const QUALIFIED =
  /[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:(?:<[^<>\n;(){}]{0,60}>)?(?:\.prototype(?=\.))?(?:[?!]?\.|#)[\p{L}_$][\p{L}\p{M}\p{N}_$]*)*/gu;
const BETWEEN = /(?:<[^<>\n;(){}]{0,60}>)?(?:\.prototype(?=\.))?(?:[?!]?\.|#)/g;
/** Dotted name. */
const DOTTED = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$]*)*/gu;

export const javascriptIssues: IssueSyntax = {
  codeLine:
    /^(?:import (?:type )?[\w${*][^'"]{0,200}from ['"]|import ['"]|export (?:default|const|let|class|function|async|type|interface|enum|abstract|declare|\*|\{)|(?:const|let|var) [\w${[].{0,200}=|(?:async )?function\*? ?[\w$]{0,80}\(|(?:interface|enum|namespace) [\w$]{1,80} ?(?:extends .{0,80})?\{$|type [\w$]{1,80}(?:<.{0,80}>)? = |class [\w$]{1,80} (?:extends .{0,80})?\{|(?:if|for|while|switch) \(.{0,200}\{$|\} else|(?:await|throw new|return) [\w$.]{1,80}\(|[\w$.]{1,100}\(.{0,200}\);$|[)\]}]{1,5};$)/,
  // Without Node's own prompt, `>`, which is Markdown's mark of a quotation.
  prompt: /^\s{0,8}(?:node|ts|deno|bun)> /,
  input: /^(?:node|ts|deno|bun)> /,
  traceback: {
    begins:
      /^\s{0,12}at (?:async |new )?\S.{0,200}:\d{1,7}:\d{1,7}\)?$|^\s{0,8}(?:Uncaught )?(?:\w{0,60}Error|Invariant Violation)(?: \[\w{1,60}\])?: \S/,
    // Frames, source lines, arrows, and text of test runners in between.
    continues:
      /^(?:\s|$|at |❯ |> ?\d|\d{1,6} ?\||\.\.\. \d{1,5} more|[\w$.<>/*]{0,100}@\S{1,300}:\d)/,
  },
  innermost: 'first',
  frames: [
    // V8: `at async Class.method [as name] (path:1:2)`, `at get name (…)`; also addresses in bundles, with text before the path.
    // Folders may be in parentheses, as Next.js groups routes. Karma adds the built file: `a.ts:1:2 <- a.js:3:4`.
    /^[ \t>|]{0,30}at (?:async )?(?:new )?(?:(?:[^\s()]{1,200}\.)?[gs]et )?(?:(?!Object\.)[^\s()]{0,200}\.<anonymous>|(?<name>[^\s()]{1,200}))(?: \[as [^\]\n]{1,100}\])? \((?:webpack-internal:\/{3}\([\w-]{1,60}\)\/)?(?<path>(?!\s)(?:[^()?\n]|\([^\s()?:/]{1,60}\)){1,400}?)(?:\?[^\s()]{0,100})?:(?<line>\d{1,7}):\d{1,7}(?: <- [^\s()]{1,400})?\)/gm,
    /^[ \t>|]{0,30}at (?:async )?(?:webpack-internal:\/{3}\([\w-]{1,60}\)\/)?(?<path>(?:[^\s()?]|\([^\s()?:/]{1,60}\)){1,400}?)(?:\?[^\s()]{0,100})?:(?<line>\d{1,7}):\d{1,7}(?: <- [^\s()]{1,400})?(?: \{)?$/gm,
    // Browsers, without columns, and their consoles' `name @ path:1`.
    /^[ \t>|]{0,30}at (?:(?:async )?(?:new )?(?:[gs]et )?(?<name>[^\s()]{1,200}) (?:\[as [^\]\n]{1,100}\] )?\()?(?<path>(?:[^\s()?:]|\([^\s()?:/]{1,60}\)){1,400}\.(?:[cm]?[jt]sx?|vue|svelte|astro)):(?<line>\d{1,7})\)?$/gm,
    /^[ \t]{0,20}(?<name>[\w$.]{1,200})[ \t]{1,4}@[ \t]{1,4}(?<path>[^\s:?]{1,400}\.(?:[cm]?[jt]sx?|vue|svelte|astro))(?:\?[^\s:]{0,100})?:(?<line>\d{1,7})$/gm,
    // React: `in Component (at File.js:12)`.
    /^[ \t]{0,20}in (?<name>[\w$.]{1,100}) \(at (?<path>[^\s:()]{1,200}):(?<line>\d{1,7})\)/gm,
    // Vitest: `❯ name path:1:2`.
    /^[ \t]{0,20}❯ (?:(?<name>[^\s/:()]{1,200}) )?(?<path>[^\s:]{1,400}):(?<line>\d{1,7}):\d{1,7}/gm,
    // Firefox and Safari: `name@address:1:2`.
    /^[ \t]{0,20}(?:async\*)?(?<name>[\w$.#]{0,200})[/<*]{0,10}@(?<path>(?:[\w-]{1,20}:)?\/[^\s?]{1,400}?)(?:\?[^\s:]{0,100})?:(?<line>\d{1,7}):\d{1,7}$/gm,
    // Node's first line, and compilers: `path:12`, `path(1,2): error TS1`, `path:1:2 - error TS1`.
    /^[ \t]{0,8}(?<path>(?:[A-Za-z]:)?(?:[^\s:()]|\([^\s:()/]{1,60}\)){1,400}\.(?:[cm]?[jt]sx?|vue|svelte|astro))[(:](?<line>\d{1,7})(?:(?<=:\d{1,7})$|[,:]\d{1,7}\)?:? (?:- )?(?:error|ERROR)\b)/gm,
  ],
  moduleFrame: '<anonymous>',
  error:
    /(?:(?:Error|Exception|Warning|Violation)(?: \[\w{1,60}\])?['"`*]{0,3}|error TS\d{1,6}):[ \t]{1,4}(?<message>[^\n]{3,300})/g,
  environment: {
    heading: /\benvinfo\b/i,
    line: /^[-*>\s]{0,10}(?:Node(?:\.?js)?|npm|yarn|pnpm|bun|deno|TypeScript|Browsers?|Binaries)(?: version)?\s{0,3}[:=]/i,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: BETWEEN,
  specialName: /^\$\w/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^(?:[cm]?jsx?|javascript|node|[cm]?tsx?|typescript|react|vue|svelte|astro)$/,
  }),
  sourceFile: /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/,
  sourceRoots: new Set(['src', 'lib', 'packages']),
  // `src/a/b.ts` gives src/a/b, `src/a/index.ts` gives src/a.
  getModule: (path) =>
    path.replace(/(?:\/index)?(?:(?:\.d)?\.[cm]?[jt]sx?|\.(?:vue|svelte|astro))$/, ''),
  readScript,
};

const FROM =
  /^[\s>]{0,24}(?:import|export) (?:type )?(?<names>[^'";\n]{1,500}) from ['"](?<module>[^'"\n]{1,200})['"]/gm;
const REQUIRE =
  /\b(?:const|let|var) (?<names>[\w$]{1,60}|\{[^{}\n]{1,300}\}) ?= ?(?:await )?(?:require|import)\(['"](?<module>[^'"\n]{1,200})['"]\)/g;
const ASSIGNED =
  /\b(?<local>[A-Za-z_$][\w$]{0,60}) ?= ?(?:await )?(?:new )?(?<value>[A-Za-z_$][\w$.]{0,200})\(/g;
const METHOD = /[\])'"`]\??\.(?<method>[A-Za-z_$][\w$]{0,100})\(/g;

function readScript(code: string): IssueScript {
  const bindings: ScriptBinding[] = [];
  for (const form of [FROM, REQUIRE])
    for (const { groups: { module = '', names = '' } = {} } of code.matchAll(form))
      bindings.push(...parseImportedNames(splitSegments(module), names));
  for (const { groups: { local = '', value = '' } = {} } of code.matchAll(ASSIGNED)) {
    if (value !== 'require' && value !== 'import')
      bindings.push({ kind: 'value', local, path: value.split('.') });
  }
  return { bindings, uses: findUses(code, DOTTED, '.', METHOD) };
}

/** Splits a path without extension and dots: `../a/b.js` gives a, b. */
function splitSegments(module: string): string[] {
  const parts = module.replace(/\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/, '').split('/');
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** Parses the names of an import: `d, { a, b as c }`, `* as n`. Names outside braces mean the module. */
function* parseImportedNames(module: string[], names: string): Generator<ScriptBinding> {
  const [whole = '', members = ''] = names.split('{');
  for (const one of whole.split(',')) {
    const local = one.trim().replace(/^\* as /, '');
    if (/^[\w$]+$/.test(local)) yield { kind: 'import', local, path: module };
  }
  for (const one of members.replace('}', '').split(',')) {
    const [member = '', local = member] = one
      .trim()
      .replace(/^type /, '')
      .split(/ as |: ?/);
    if (/^[\w$]+$/.test(member)) yield { kind: 'import', local, path: [...module, member] };
  }
}
