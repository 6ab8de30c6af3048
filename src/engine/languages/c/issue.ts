/** Syntax of issues about C and C++: stacks of debuggers, sanitizers and valgrind, failed assertions, compiler errors. */
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, NameUse, ScriptBinding } from '../issue-syntax.ts';
import { splitName } from './names.ts';

const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:::|->|\.)~?[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
/** Qualified name with template arguments and operator symbols. */
const QUALIFIED =
  /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:<[^<>\n;(){}]{0,60}>)?(?:::|->|\.)~?[\p{L}_][\p{L}\p{M}\p{N}_]*)*(?:(?<=\boperator)(?:\(\)|\[\]|<=>|<<=?|>>=?|&&|\|\||\+\+|--|[-+*/%^&|=!<>~]=?(?!\w)))?/gu;
const BETWEEN = /(?:<[^<>\n;(){}]{0,60}>)?(?:::|->|\.)/g;
const SOURCE_FILE = /\.(?:c|h|cc|cpp|cxx|c\+\+|hh|hpp|hxx|h\+\+|inl|ipp|tpp|cuh?)$/i;
/** Text that identifies code as C or C++. Other code is ignored. */
const MARK =
  /^[ \t]{0,40}(?:#[ \t]?include\b|using namespace |(?:int|void|auto|char|static|const|struct) [^\n]{0,200}[;({]$)/m;
const ASSIGNED =
  /\b(?<local>[A-Za-z_]\w{0,60}) ?= ?(?:new )?(?<value>[A-Za-z_]\w{0,80}(?:(?:::|->|\.)\w{1,80}){0,6})[({]/g;
/** Maximum length of a name in UTF-16 units. Nobody writes longer ones. */
const MAX_NAME = 300;

export const cIssues: IssueSyntax = {
  codeLine:
    /^(?:#[ \t]?include ?[<"]|#(?:define|ifn?def|endif|pragma) |using namespace |(?:std::|auto |const |static |void |int |char |unsigned |template ?<|struct \w|class \w).{0,200}[;{]$|\w{1,80}(?:(?:->|::)\w{1,80}){1,6} ?\(.{0,200}\);$|return .{0,200};$)/,
  prompt: /^\s{0,8}\((?:gdb|lldb)\)/,
  input: /^(?!)/,
  traceback: {
    begins:
      /^\s{0,12}#0\s{1,4}(?:0x[\da-f]{1,16}\b|[\w:~]{1,200} \()|^==\d{1,9}==\s{0,4}(?:ERROR|Invalid|Process|Conditional|Use of)|^(?:Program|Thread \d.{0,80}) received signal SIG|^[* ] thread #\d|: runtime error: |^terminate called after/,
    continues:
      /^(?:\s|$|#\d{1,4}\s|==\d{1,9}==|\(gdb\)|\* frame #|SUMMARY:|READ of|WRITE of|No locals)/,
  },
  // gdb; lldb; sanitizers; valgrind; failed assertions in two forms, on Windows without the function; compilers, linkers and
  // failed checks of libraries, with a location only, after a project's number if Visual Studio builds several.
  innermost: 'first',
  frames: [
    /^[ \t]{0,12}#\d{1,4}[ \t]{1,4}(?:0x[\da-f]{1,16} in )?(?<name>[^\s(][^\n(]{0,300}) \((?:[^\n]|\n(?=[ \t]{2})){0,1500}?\)\s{1,12}at (?<path>[^\s:]{1,400}):(?<line>\d{1,7})/gm,
    /\bframe #\d{1,4}: 0x[\da-f]{1,16} [^\s`]{1,200}`(?<name>[^\n(]{1,1500})(?:(?=\()[^\n]{0,3000}?)? at (?<path>[^\s:]{1,400}):(?<line>\d{1,7})/g,
    /^[ \t]{0,12}#\d{1,4}[ \t]{1,4}0x[\da-f]{1,16}(?: \(BuildId[^\n)]{0,80}\))? in (?<name>[^\n]{1,400}?) (?<path>[^\s:()]{1,400}\.\w{1,4}):(?<line>\d{1,7})(?::\d{1,5})?[ \t]{0,4}\r?$/gm,
    /\b(?:at|by) 0x[\dA-Fa-f]{1,16}: (?<name>[^\n]{1,400}?) \((?<path>[^\s:()]{1,300}\.\w{1,4}):(?<line>\d{1,7})\)/g,
    /(?<![^\s])(?<path>[^\s:]{1,300}\.\w{1,4}):(?<line>\d{1,7}): (?<name>[^\n]{1,1500}?): Assertion [`']/g,
    /\bAssertion failed: [^\n]{1,500}?(?:, function (?<name>[^\s,]{1,200}))?, file (?<path>[^\s,]{1,400}), line (?<line>\d{1,7})/g,
    /(?<![^\s])(?:\d{1,3}>)?(?<path>(?:[A-Za-z]:)?[^\s:()>]{1,300}\.(?:cc?|cpp|cxx|cuh?|hh?|hpp|hxx|inl|ipp|tpp))[:(](?<line>\d{1,7})(?:,\d{1,5})?(?:(?:\) ?)?:(?:\d{1,5}:)?|\]) {1,4}(?:(?:fatal |runtime )?(?:error|warning|note)|required (?:from|by)|undefined reference|C(?:heck|HECK) failed)\b/g,
    // The Linux kernel: `WARNING: CPU: 2 PID: 72 at kernel/irq/manage.c:661 irq_handler+0x2c/0x30`, `kernel BUG at mm/slab.c:2972!`.
    /\b(?:BUG|WARNING)(?:: (?:CPU: \d{1,6} PID: \d{1,9} )?| )at (?<path>[^\s:]{1,400}\.[chS]):(?<line>\d{1,7})(?:!| (?<name>[A-Za-z_]\w{0,200})\b)/g,
  ],
  readFrame: ({ path = '', name = '' }) => ({ path, name: getFunctionName(name) }),
  moduleFrame: '__static_initialization_and_destruction_0',
  error:
    /(?:\bwhat\(\):|:\d{1,7}: (?:fatal |runtime )?error:|Assertion [`'])[ \t]{0,4}(?<message>[^\n]{3,300})/g,
  environment: {
    heading: /^\W{0,8}(?:compiler|toolchain)\W{0,8}$/i,
    line: /^[-*>\s]{0,10}(?:gcc|g\+\+|clang|clang\+\+|cmake|glibc|msvc)(?: version)?\s{0,3}[:=(]?\s{0,3}v?\d/i,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: BETWEEN,
  specialName: /^operator\W/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^(?:c|h|cc|cpp|cxx|c\+\+|hpp|objc|cuda)$/,
    // Without `name: `, because assertions and libraries print `function: message`.
    label: /="/y,
  }),
  sourceFile: SOURCE_FILE,
  sourceRoots: new Set(['src', 'lib', 'source', 'include']),
  getModule: (path) => (SOURCE_FILE.test(path) ? path.replace(/\.[^./]+$/, '') : ''),
  readScript: (code) => (MARK.test(code) ? readC(code) : { bindings: [], uses: [] }),
};

/** Returns the function of a signature: `int ns::Box<int>::get(int) const` gives ns::Box::get. */
function getFunctionName(signature: string): string {
  const text = signature.replace(/\(anonymous namespace\)::/g, '');
  const operator = text.search(/\boperator\b/);
  if (operator >= 0)
    return splitName(getLastWord(text.slice(0, operator)) + text.slice(operator)).join('::');
  return splitName(getLastWord(cutParameters(text))).join('::');
}

/** Returns the text before the first parenthesis outside template arguments; '' if a debugger truncated the name within them. */
function cutParameters(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (depth === 0 && char === '(') return text.slice(0, at);
  }
  return depth === 0 ? text : '';
}

/** Returns the text after the last space outside template arguments. */
function getLastWord(text: string): string {
  let depth = 0;
  for (let at = text.trimEnd().length - 1; at >= 0; at--) {
    const char = text[at];
    if (char === '>') depth++;
    else if (char === '<') depth--;
    else if (depth === 0 && (char === ' ' || char === '*' || char === '&'))
      return text.slice(at + 1);
  }
  return text;
}

function readC(code: string): IssueScript {
  const bindings = Array.from(code.matchAll(ASSIGNED), ({ groups }): ScriptBinding => {
    const { local = '', value = '' } = groups ?? {};
    return { kind: 'value', local, path: splitNames(value) };
  });
  return { bindings, uses: [...usesIn(code)] };
}

function* usesIn(code: string): Generator<NameUse> {
  for (const { 0: text, index: at } of code.matchAll(NAME)) {
    if (text.length > MAX_NAME) continue;
    const isCalled = code[at + text.length] === '(';
    yield { at, text, path: splitNames(text), isCalled, isMethod: false };
  }
}

function splitNames(text: string): string[] {
  return text.split(/::|->|\./);
}
