/** Syntax of issues about Kotlin: stack traces of the virtual machine, compiler messages and snippets. */
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, ScriptBinding } from '../issue-syntax.ts';
import { readJvmFrame } from '../jvm/frames.ts';
import { PACKAGES } from '../jvm/packages.ts';
import { findUses } from '../scripts.ts';

/** Qualified name with type arguments or a companion object. */
const QUALIFIED =
  /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:<[^<>\n;(){}]{0,60}>)?(?:\.Companion(?=[.#:]))?(?:(?:\?|!!)?\.|#|::)[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
const BETWEEN = /(?:<[^<>\n;(){}]{0,60}>)?(?:\.Companion(?=[.#:]))?(?:(?:\?|!!)?\.|#|::)/g;
/** Qualified name. The pattern cannot fail after its first character, so it takes linear time. */
const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:\??\.|#|::)[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
const SEPARATOR = /\??\.|#|::/g;

export const kotlinIssues: IssueSyntax = {
  codeLine:
    /^\s{0,24}(?:import [\w.]{1,200}(?:\.\*)?$|package [\w.]{1,200}$|(?:(?:public|private|internal|protected|override|suspend|inline|open|abstract|data|sealed|enum) ){0,6}(?:fun|class|object|interface) .{1,200}[{()=,>]$|(?:val|var) \w{1,60}(?:: .{1,100})? ?(?:=|by) ?.{1,200}|@[A-Z]\w{0,60}(?:\(.{0,200}\))?$|(?:if|for|while|when) \(.{0,200}\{$|[\w.]{1,100}(?:\(.{0,200}\))? \{$|[})]{1,5}$)/,
  prompt: /^\s{0,8}kotlin>/,
  input: /^kotlin> /,
  traceback: {
    begins:
      /^\s{0,20}(?:FATAL EXCEPTION: |Exception in thread "|Caused by: |Suppressed: |at (?:[\w.@-]{0,100}\/){0,3}[\w.$]{1,300}\.[\w$<>-]{1,200} ?\([\w$-]{1,100}\.kts?\b)|^\s{0,8}(?:[a-z]\w{0,60}\.){1,12}[\w$]{0,100}(?:Exception|Error|Throwable|Failure)\b|^[ew]: (?:file:\/\/)?\S{1,400}\.kts?\b/,
    continues:
      /^\s{0,40}(?:$|at [\w$]|\.{3} \d{1,6} (?:more|common)|Caused by: |Suppressed: |\(Coroutine boundary\))/,
  },
  innermost: 'first',
  cause: /^Caused by: /gm,
  frames: [
    /\bat[ \t]{1,4}(?:[\w.@-]{0,100}\/){0,3}(?<scope>[\p{L}\p{N}_$.]{1,300})\.(?<method>[\p{L}\p{N}_$<> -]{1,200})\((?<file>[\p{L}\p{N}_$-]{1,200}\.kts?):(?<line>\d{1,7})\)/gu,
    // The compiler: `e: file:///shop/Cart.kt:12:5 Unresolved reference`, and formerly `e: /shop/Cart.kt: (12, 5): …`.
    /^[ew]: (?:file:\/\/)?(?<path>(?:[A-Za-z]:)?[\w./\\~$-]{1,400}\.kts?): ?\(?(?<line>\d{1,7})[:,]/gm,
    // detekt and ktlint.
    /^(?<path>(?:[A-Za-z]:)?[\w./\\~$-]{1,400}\.kts?):(?<line>\d{1,7}):\d{1,7}: /gm,
  ],
  readFrame({ scope = '', method = '', file, path = '' }) {
    if (file === undefined) return { path, name: '' };
    // Maven writes a space before the file.
    const frame = readJvmFrame(scope, method.trimEnd(), file);
    // Code that runs on construction may be anywhere in the class, so only the line is used.
    return /^<(?:cl)?init> ?$/.test(method) ? { ...frame, name: '' } : frame;
  },
  moduleFrame: '<script>',
  error: /(?:Error|Exception|Throwable|Failure)['"`*]{0,3}:[ \t]{1,4}(?<message>[^\n]{3,300})/g,
  environment: {
    heading: /^kotlin version$/i,
    line: /^[-*>\s]{0,10}(?:Kotlin|Gradle|AGP|JDK)(?: version)?\s{0,3}[:=]/i,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: BETWEEN,
  // Only names in camelCase are special.
  specialName: /(?!)/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^(?:kt|kts|kotlin|groovy|gradle)$/,
    others: PACKAGES,
  }),
  sourceFile: /\.kts?$/,
  sourceRoots: new Set(['src']),
  getModule,
  readScript,
};

/** Returns the module of a file: `core/src/commonMain/kotlin/shop/Cart.kt` gives shop/Cart. */
export function getModule(path: string): string {
  return path.replace(/\.\w+$/, '').replace(/^.*\/(?:kotlin|java)\//s, '');
}

const IMPORT =
  /^\s{0,24}import (?<names>[\w.]{1,200})(?<star>\.\*)?(?: as (?<alias>\w{1,60}))?[ \t\r]{0,20}$/gm;
const MADE = /\bva[lr] (?<local>\w{1,60}) ?= ?(?<value>[A-Za-z_][\w.]{0,200})[({]/g;
const TYPED = /\b(?<local>[a-z]\w{0,60}) ?: ?(?<value>[A-Z][\w.]{0,200})/g;
/** Line that identifies code as Kotlin. Other code is ignored. */
const STATEMENT = /^\s{0,40}(?:va[lr] \w|(?:[a-z]{1,20} ){0,6}fun |import [\w.]{1,200}$)/m;

function readScript(code: string): IssueScript {
  if (!STATEMENT.test(code) || /;[ \t\r]{0,20}$/m.test(code)) return { bindings: [], uses: [] };
  const imports = Array.from(
    code.matchAll(IMPORT),
    ({ groups: { names = '', star, alias } = {} }): ScriptBinding => {
      const path = names.split('.');
      return star === undefined
        ? { kind: 'import', local: alias ?? path.at(-1) ?? '', path }
        : { kind: 'open', path };
    },
  );
  const values = [MADE, TYPED]
    .flatMap((form) => [...code.matchAll(form)])
    .map(({ groups: { local = '', value = '' } = {} }): ScriptBinding => {
      return { kind: 'value', local, path: value.split('.') };
    });
  return { bindings: [...imports, ...values], uses: findUses(code, NAME, SEPARATOR) };
}
