/** Syntax of issues about Go: panics, traces of goroutines, failed tests and compiler errors. */
import { getParent } from '../../../shared/address.ts';
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, NameUse, ScriptBinding } from '../issue-syntax.ts';

/** Line that identifies code as Go. Other code is ignored. */
const MARK = /^[ \t]{0,40}(?:package \w{1,80}$|func [\w(]|\w{1,80}(?:, ?\w{1,80}){0,4} := )/m;
const IMPORT =
  /^[ \t]{0,40}(?:import )?(?:(?<alias>\w{1,80}) )?"(?<path>[\w.~-]{1,80}(?:\/[\w.~-]{1,80}){1,12})"$/gm;
const ASSIGNED =
  /\b(?<local>[A-Za-z_]\w{0,60})(?:, ?\w{1,60}){0,4} ?:?= ?&?(?<value>[A-Za-z_][\w.]{0,200})[({]/g;
const DOTTED = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu;
/** Maximum length of a name in UTF-16 units. Nobody writes longer ones. */
const MAX_NAME = 300;

export const goIssues: IssueSyntax = {
  codeLine:
    /^(?:func (?:\(\w{0,40} ?\*?\w{1,80}(?:\[[\w, ]{1,40}\])?\) )?\w{1,80}(?:\[[^\]]{1,80}\])?\(|type \w{1,80} (?:struct|interface) ?\{|\w{1,80}(?:, ?\w{1,80}){0,4} := |if err != nil|defer [\w.]{1,100}\(|go func\()/,
  prompt: /^(?!)/,
  input: /^(?!)/,
  traceback: {
    begins:
      /^\s{0,8}(?:panic: |fatal error: \S|goroutine \d{1,9}(?: gp=\S{1,20} m=\S{1,20})? \[|--- FAIL: |WARNING: DATA RACE)|^\s{0,8}\[signal SIG/,
    continues:
      /^(?:\s|$|created by \S|exit status \d|={18}$|(?:Previous )?(?:[Rr]ead|[Ww]rite) at 0x|Goroutine \d{1,9} \(|(?:[\w-]{1,80}(?:\.[\w-]{1,80}){0,8}\/)?[\w.@%~/-]{1,200}\.(?:\(\*?\w{1,80}(?:\[\.\.\.\])?\)\.)?[\w.]{1,200}(?:-fm)?(?:\[\.\.\.\])?\(|panic\(|FAIL\b)/,
  },
  // A function with the location on the next line; a failed test or a compiler error, with a location only.
  innermost: 'first',
  frames: [
    /^[ \t]{0,40}(?:created by )?[\w./@%~-]{0,200}(?:\(\*?\w{1,80}(?:\[\.\.\.\])?\)\.)?\b(?!func\d)(?<name>[\p{L}_]\w{0,200})(?:\[\.\.\.\])?(?:\.(?:func|gowrap)?\d{1,4}){0,8}(?:-fm)?(?:\([^\n]{0,1000}\)| in goroutine \d{1,9})?\r?\n[ \t]{1,40}(?<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,400}\.go):(?<line>\d{1,7})\b/gmu,
    /^[ \t]{0,12}(?:vet: )?(?<path>(?:[A-Za-z]:)?[\w./\\@~-]{1,300}\.go):(?<line>\d{1,7}):(?:\d{1,5}:)? /gm,
  ],
  moduleFrame: 'init',
  error: /^\s{0,8}(?:panic|fatal error): (?<message>[^\n]{3,300})/gm,
  environment: {
    heading: /\bgo env\b/i,
    line: /^[-*>\s]{0,10}(?:go version go\d|(?:set )?(?:GO[A-Z0-9]{2,24}|CGO_\w{2,20})=)/,
  },
  trained: null,
  // `pkg.(*T).Method`, `T[K].Method`. Names with only dots match the patterns of other languages.
  qualifiedName:
    /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:\[[^[\]\n;(){}]{1,60}\])?\)?\.[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu,
  separator: /(?:\[[^[\]\n;(){}]{1,60}\])?\)?\./,
  specialName: /^(?!)/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^go(?:lang)?$/,
  }),
  sourceFile: /\.go$/,
  sourceRoots: new Set(['pkg', 'internal', 'cmd']),
  // A folder is a package. Files in other languages have none.
  getModule: (path) => (path.endsWith('.go') ? getParent(path) : ''),
  readScript: (code) => (MARK.test(code) ? readGo(code) : { bindings: [], uses: [] }),
};

function readGo(code: string): IssueScript {
  const bindings: ScriptBinding[] = [];
  for (const { groups: { alias, path: text = '' } = {} } of code.matchAll(IMPORT)) {
    const names = text.split('/');
    // `host/owner/repository/folder` gives the path within the repository.
    const path = names[0]?.includes('.') ? names.slice(3) : names;
    bindings.push({ kind: 'import', local: alias ?? path.at(-1) ?? '', path });
  }
  for (const { groups: { local = '', value = '' } = {} } of code.matchAll(ASSIGNED)) {
    bindings.push({ kind: 'value', local, path: value.split('.') });
  }
  return { bindings, uses: [...usesIn(code)] };
}

function* usesIn(code: string): Generator<NameUse> {
  for (const { 0: text, index: at } of code.matchAll(DOTTED)) {
    const before = code[at - 1];
    if (text.length > MAX_NAME || before === '.' || before === '"' || before === '/') continue;
    const isCalled = code[at + text.length] === '(';
    yield { at, text, path: text.split('.'), isCalled, isMethod: false };
  }
}
