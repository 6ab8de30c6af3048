/** Syntax of issues about Rust: panics, backtraces and compiler errors. */
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, NameUse, ScriptBinding } from '../issue-syntax.ts';

/** Line that identifies code as Rust. Other code is ignored. */
const MARK =
  /^[ \t]{0,40}(?:(?:pub )?(?:fn|struct|enum|impl|mod) \w|use [\w:]{1,200}(?:::\{|;)|let (?:mut )?\w{1,80}(?:: [^=\n]{1,80})? = |#!?\[)/m;
const USE =
  /^[ \t]{0,40}(?:pub )?use (?<path>[\w:]{1,200}?)(?:::\{(?<names>[\w\s,:*]{1,500})\}| as (?<alias>\w{1,80}))?;/gm;
const ASSIGNED =
  /\blet (?:mut )?(?<local>[A-Za-z_]\w{0,60})(?:: [^=\n]{1,80})? = (?<value>[A-Za-z_][\w:]{0,200})[({]/g;
/** Path of identifiers. The pattern cannot fail after its first character, so it takes linear time. */
const PATH = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:::[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
/** Path that may include fields and type arguments, as in `Vec<T>::new` and `Vec::<T>::new`. */
const QUALIFIED =
  /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:(?:::)?<[^<>\n;(){}]{0,60}>)?(?:::|\??\.)[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
const BETWEEN = /(?:(?:::)?<[^<>\n;(){}]{0,60}>)?(?:::|\??\.)/;
/** Maximum length of a name in UTF-16 units. Nobody writes longer ones. */
const MAX_NAME = 300;

export const rustIssues: IssueSyntax = {
  codeLine:
    /^(?:(?:pub(?:\(\w{1,20}\))? )?(?:async |const |unsafe ){0,3}fn \w{1,80}[(<]|(?:pub )?(?:struct|enum|trait) \w{1,80}(?:<[^>]{1,80}>)? ?[{(;]|impl(?:<[^>]{1,80}>)? [\w:]{1,100}(?:<[^>]{1,80}>)?(?: for [\w:]{1,100})?.{0,80}\{$|(?:pub )?use [\w:]{1,200}(?:::\{.{1,200}\}|::\*| as \w{1,80})?;$|let (?:mut )?\w{1,80}(?:: .{1,80})? = .{1,200};$|#!?\[\w{1,80}.{0,200}\]$|[\w:]{1,80}!\(.{0,200}\);$)/,
  prompt: /^(?!)/,
  input: /^(?!)/,
  traceback: {
    begins:
      /^\s{0,8}(?:thread '[^'\n]{1,100}'(?: \(\d{1,9}\))? panicked at |stack backtrace:|error(?:\[E\d{4}\])?: \S)|^\s{0,12}\d{1,4}: {1,4}(?:0x[0-9a-f]{1,20} - )?[\w<][\w<>:& {}#$'.*]{0,200}::/,
    continues:
      /^(?:\s|$|note: |\d{1,4}: |\d{1,6} \| |= note|= help|called `|index out of bounds|(?:left|right): )/,
  },
  // A function with the location on the next line; or only a location, of a panic, a compiler error or a frame without a name.
  innermost: 'first',
  frames: [
    /^[ \t]{0,12}\d{1,4}: {1,6}(?:0x[0-9a-f]{1,20} - )?[^\n]{0,300}?\b(?<name>[\p{L}_][\p{L}\p{N}_]{0,200})(?:::<[^\n]{0,300}>)?(?:::\{\{closure\}\}(?:#\d{1,3})?){0,4}(?:::h[0-9a-f]{16})?[ \t]*\r?\n[ \t]{1,40}at (?<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,400}\.rs):(?<line>\d{1,7})/gmu,
    /\bpanicked at (?:'[^'\n]{0,500}', )?(?<path>(?:[A-Za-z]:)?[^\s:'"][^\n:'"]{0,400}\.rs):(?<line>\d{1,7})/g,
    // The end of a multi-line message, and gdb's form.
    /^', (?<path>(?:[A-Za-z]:)?[^\s:'"]{1,400}\.rs):(?<line>\d{1,7}):\d{1,7}/gm,
    /^[ \t]{0,12}#\d{1,4}[ \t]{1,4}(?:0x[\da-f]{1,16} in )?(?<name>[^\s({][^\n({]{0,300}?)(?:::\{\{closure\}\}){0,4}(?:<[^\n(]{0,200}>)? \([^\n]{0,500}?\)\s{1,12}at (?<path>[^\s:]{1,400}\.rs):(?<line>\d{1,7})/gm,
    /^[ \t]{0,12}--> (?<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,400}\.rs):(?<line>\d{1,7})/gm,
  ],
  moduleFrame: '<module>',
  error:
    /^(?:thread '[^'\n]{1,100}'(?: \(\d{1,9}\))? panicked at [^\n']{1,400}:\r?\n(?<message>[^\n]{3,300}))/gm,
  environment: {
    heading: /\brustc --version\b/i,
    line: /^[-*>\s]{0,10}(?:rustc|cargo|rustup) \d{1,3}\.\d/,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: BETWEEN,
  specialName: /^(?!)/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^(?:rs|rust)$/,
    others: /\b(?:error|warning)(?=\[E\d{4}\])|\bthread '[^'\n]{1,60}'/g,
  }),
  sourceFile: /\.rs$/,
  sourceRoots: new Set(['src']),
  // `crates/a/src/b/mod.rs` gives crates/a/b. Files in other languages are not modules here.
  getModule: (path) => {
    if (!path.endsWith('.rs')) return '';
    const stem = path.slice(0, -'.rs'.length).replace(/\/(?:mod|lib|main)$/, '');
    return stem.replace(/\/src(?=\/|$)/, '');
  },
  readScript: (code) => (MARK.test(code) ? readRust(code) : { bindings: [], uses: [] }),
};

function readRust(code: string): IssueScript {
  const bindings: ScriptBinding[] = [];
  for (const { groups: { path = '', names = '', alias } = {} } of code.matchAll(USE)) {
    const outer = splitPath(path);
    const inner = names === '' ? [''] : names.split(',').map((name) => name.trim());
    for (const name of inner) {
      const full = [...outer, ...splitPath(name)];
      const local = alias ?? full.at(-1) ?? '';
      if (local === '*') bindings.push({ kind: 'open', path: full.slice(0, -1) });
      else bindings.push({ kind: 'import', local, path: full });
    }
  }
  for (const { groups: { local = '', value = '' } = {} } of code.matchAll(ASSIGNED)) {
    bindings.push({ kind: 'value', local, path: splitPath(value) });
  }
  return { bindings, uses: [...usesIn(code)] };
}

function* usesIn(code: string): Generator<NameUse> {
  for (const { 0: text, index: at } of code.matchAll(PATH)) {
    const path = splitPath(text);
    const isCalled = code[at + text.length] === '(';
    if (text.length > MAX_NAME || (path.length === 1 && !isCalled)) continue;
    const isMethod = path.length === 1 && code[at - 1] === '.';
    yield { at, text, path, isCalled, isMethod };
  }
}

const splitPath = (path: string): string[] => path.split('::').filter(Boolean);
