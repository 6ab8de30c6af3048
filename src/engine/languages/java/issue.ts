/** Syntax of issues about Java: stack traces of the virtual machine, messages of javac and Maven, and snippets. */
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, ScriptBinding } from '../issue-syntax.ts';
import { readJvmFrame } from '../jvm/frames.ts';
import { PACKAGES } from '../jvm/packages.ts';
import { findUses } from '../scripts.ts';

/** Qualified name of a class's member: `Map<K, V>#get`. */
const QUALIFIED =
  /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:<[^<>\n;(){}]{0,60}>)?(?:[.#$]|::)[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
const BETWEEN = /(?:<[^<>\n;(){}]{0,60}>)?(?:[.#$]|::)/g;
/** Qualified name. The pattern cannot fail after its first character, so it takes linear time. */
const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:[.#$]|::)[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
const SEPARATOR = /[.#$]|::/g;

export const javaIssues: IssueSyntax = {
  codeLine:
    /^\s{0,24}(?:import (?:static )?[\w.]{1,200}(?:\.\*)?;|package [\w.]{1,200};|(?:public|private|protected|final|static|abstract) .{1,200}[;{(,]$|@[A-Z]\w{0,60}(?:\(.{0,200}\))?$|(?:return|throw new|new) .{1,200};$|(?:if|for|while|switch|try|catch) ?\(.{0,200}\{$|[A-Z][\w.<>, ?[\]]{0,100} \w{1,60} = .{1,200}|[\w.]{1,100}\(.{0,200}\);$|[})]{1,5};?$)/,
  prompt: /^\s{0,8}(?:jshell>|\s{3}\.\.\.>)/,
  input: /^jshell> /,
  traceback: {
    begins:
      /^\s{0,20}(?:Exception in thread "|Caused by: |Suppressed: |at (?:[\w.@-]{0,100}\/){0,3}[\w.$]{1,300}\.[\w$<>-]{1,200} ?\((?:[\w$-]{1,100}\.java|Native Method|Unknown Source)\b|(?:[a-z_]\w{0,60}\.){1,12}[\w$]{1,100}\.[\w$<>-]{1,200}\([\w$-]{1,100}\.java:\d)|^\s{0,8}(?:[a-z]\w{0,60}\.){1,12}[\w$]{0,100}(?:Exception|Error|Throwable|Failure)\b/,
    continues:
      /^\s{0,40}(?:$|at [\w$]|[\w$.<>-]{1,400}\([\w$-]{1,100}\.java:\d|\.{3} \d{1,6} (?:more|common)|Caused by: |Suppressed: |Wrapped by: )/,
  },
  innermost: 'first',
  cause: /^Caused by: /gm,
  frames: [
    // The method may be empty, if a tracker took `<init>` for a tag. Maven and jshell write a space before the file.
    /\bat[ \t]{1,4}(?:[\w.@-]{0,100}\/){0,3}(?<scope>[\p{L}\p{N}_$.]{1,300})\.(?<method>[\p{L}\p{N}_$<>-]{0,200}) ?\((?<file>[\p{L}\p{N}_$-]{1,200}\.java):(?<line>\d{1,7})\)/gu,
    // Debuggers, profilers and logs.
    /^[ \t]{0,20}(?<scope>(?:[a-z_]\w{0,60}\.){1,12}[\p{L}\p{N}_$.]{1,200})\.(?<method>[\p{L}\p{N}_$<>-]{1,200})\((?<file>[\p{L}\p{N}_$-]{1,200}\.java):(?<line>\d{1,7})\)/gmu,
    // javac and Maven.
    /^(?:\[(?:ERROR|WARNING)\] ?)?(?<path>(?:[A-Za-z]:)?[\w./\\~$-]{1,400}\.java):(?:\[(?<line>\d{1,7}),\d{1,7}\])/gm,
    /^(?:\[javac\] ?)?(?<path>(?:[A-Za-z]:)?[\w./\\~$-]{1,400}\.java):(?<line>\d{1,7}): (?:error|warning)\b/gm,
  ],
  readFrame: ({ scope = '', method = '', file, path = '' }) =>
    file === undefined ? { path, name: '' } : readJvmFrame(scope, method || '<init>', file),
  moduleFrame: '<clinit>',
  error: /(?:Error|Exception|Throwable|Failure)['"`*]{0,3}:[ \t]{1,4}(?<message>[^\n]{3,300})/g,
  environment: {
    heading: /^java -version$/i,
    line: /^[-*>\s]{0,10}(?:Java|JDK|JVM|OpenJDK|JRE)(?: version)?\s{0,3}[:=]/i,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: BETWEEN,
  // Only names in camelCase are special.
  specialName: /(?!)/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^(?:java|jshell)$/,
    others: PACKAGES,
  }),
  sourceFile: /\.java$/,
  sourceRoots: new Set(['src']),
  getModule,
  readScript,
};

/** Returns the module of a file: `core/src/main/java/com/shop/Cart.java` gives com/shop/Cart. */
export function getModule(path: string): string {
  return path.replace(/\.\w+$/, '').replace(/^.*\/java\//s, '');
}

const IMPORT = /^\s{0,24}import (?:static )?(?<names>[\w.]{1,200})(?<star>\.\*)?;/gm;
const DECLARED =
  /\b(?<type>[A-Z][\w.]{0,200})(?:<[^;=\n]{0,200}>)? (?<local>[a-z_]\w{0,60}) ?[=;:)]/g;
const MADE = /\bvar (?<local>[a-z_]\w{0,60}) ?= ?new (?<type>[A-Z][\w.]{0,200})/g;

/** Line that identifies code as Java. Other code is ignored. */
const STATEMENT = /[;{][ \t\r]{0,20}$/m;

function readScript(code: string): IssueScript {
  if (!STATEMENT.test(code)) return { bindings: [], uses: [] };
  const imports = Array.from(code.matchAll(IMPORT), ({ groups: { names = '', star } = {} }) => {
    const path = names.split('.');
    return star === undefined
      ? { kind: 'import' as const, local: path.at(-1) ?? '', path }
      : { kind: 'open' as const, path };
  });
  const values = [DECLARED, MADE]
    .flatMap((form) => [...code.matchAll(form)])
    .map(({ groups: { type = '', local = '' } = {} }): ScriptBinding => {
      return { kind: 'value', local, path: type.split('.') };
    });
  return { bindings: [...imports, ...values], uses: findUses(code, NAME, SEPARATOR) };
}
