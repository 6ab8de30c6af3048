/** Syntax of issues about Ruby: backtraces, sessions of irb and pry, and names with `::` and `#`. */
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, NameUse, ScriptBinding } from '../issue-syntax.ts';

/** Qualified name. A final `?`, `!` or `=` belongs to it if code or a class in front indicates that. */
const QUALIFIED =
  /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:::|#|&?\.)[\p{L}_][\p{L}\p{M}\p{N}_]*)*(?:[?!](?=[(`'"])|=(?=`)|(?<=#\w{1,80})[?!=](?!\w))?/gu;
const SEPARATOR = /::|#|&?\./g;
/** Text that identifies code as Ruby. Other code is ignored. */
const MARK =
  /^[ \t]{0,40}(?:require(?:_relative)? ['"]|class [A-Z]|module [A-Z]|def \w|end$|puts )|\.new\b| do \|/m;
const ASSIGNED =
  /(?<local>[a-z_]\w{0,60}) ?= ?(?<value>[A-Za-z_]\w{0,80}(?:(?:::|\.)\w{1,80}){0,8})/g;
/** Maximum length of a name in UTF-16 units. Nobody writes longer ones. */
const MAX_NAME = 300;

export const rubyIssues: IssueSyntax = {
  codeLine:
    /^(?:require(?:_relative)? ['"]|gem ['"]|def (?:self\.)?\w|class [A-Z][\w:]{0,100}(?: < [\w:]{1,100})?$|module [A-Z][\w:]{0,100}$|end$|puts |@\w{1,80} ?\|{0,2}= |[\w:.]{1,100}(?:\(.{0,200}\))? do(?: \|[^|]{1,80}\|)?$|[A-Z]\w{0,80}(?:::\w{1,80}){0,6}\.\w{1,80}[?!]?\(.{0,200}\)$)/,
  prompt:
    /^\s{0,8}(?:irb\([^)]{1,60}\):\d{1,5}|(?:\[\d{1,5}\] )?pry\([^)]{1,60}\)|\d\.\d\.\d ?:\d{3} ?>)/,
  input: /^(?:irb\([^)]{1,60}\):\d{1,5}(?::\d{1,5})?> \S|(?:\[\d{1,5}\] )?pry\([^)]{1,60}\)> \S)/,
  traceback: {
    begins: /^\s{0,8}(?:from |# )?\S{1,400}:\d{1,7}:in [`']/,
    continues: /^(?:\s|$|(?:\d{1,3}: )?(?:from )?\S{1,400}:\d{1,7}:in [`']|# \.?\/)/,
  },
  // Backtraces; warnings, syntax errors and linter offenses, with a location only.
  innermost: 'first',
  frames: [
    /(?<![^\s([#])(?<path>(?:[A-Za-z]:)?[^\s:'"`()]{1,400}):(?<line>\d{1,7}):in [`'](?<name>[^'\n]{1,300})'/g,
    /(?<![^\s([#])(?<path>(?:[A-Za-z]:)?[^\s:'"`()]{1,400}\.(?:rb|rake|gemspec|ru)):(?<line>\d{1,7})(?::\d{1,5})?(?!\d|:in|:\d)/g,
  ],
  readFrame: ({ path = '', name = '' }) => ({ path, name: getDefinitionName(name) }),
  moduleFrame: '<main>',
  error: /:\d{1,7}:in [`'][^'\n]{1,200}': (?<message>[^\n]{3,300})/g,
  environment: {
    heading: /^\W{0,8}(?:bundle env|gem list|bundler? environment)\W{0,8}$/i,
    line: /^[-*>\s]{0,10}(?:ruby|rails|bundler|rubygems)(?: version)?\s{0,3}[:=]?\s{0,3}v?\d/i,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: SEPARATOR,
  specialName: /^(?!)/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^(?:rb|ruby|irb|rails)$/,
  }),
  sourceFile: /\.(?:rb|rake|gemspec|ru)$/,
  sourceRoots: new Set(['lib', 'app', 'src']),
  getModule: (path) => (path.endsWith('.rb') ? path.replace(/\.rb$/, '') : ''),
  readScript: (code) => (MARK.test(code) ? readRuby(code) : { bindings: [], uses: [] }),
};

/** Returns the definition of a frame: `block (2 levels) in Shop::Cart#add` gives Shop::Cart#add, `<class:Cart>` gives Cart. */
function getDefinitionName(name: string): string {
  const inner = name.slice(name.lastIndexOf(' in ') + 1).replace(/^in /, '');
  if (inner.startsWith('<top ')) return '<main>';
  return /^<(?:class|module):(.+)>$/.exec(inner)?.[1] ?? inner;
}

function readRuby(code: string): IssueScript {
  const bindings = Array.from(code.matchAll(ASSIGNED), ({ groups }): ScriptBinding => {
    const { local = '', value = '' } = groups ?? {};
    return { kind: 'value', local, path: splitPath(value) };
  });
  return { bindings, uses: [...usesIn(code)] };
}

function* usesIn(code: string): Generator<NameUse> {
  for (const { 0: text, index: at } of code.matchAll(QUALIFIED)) {
    if (text.length > MAX_NAME) continue;
    const path = splitPath(text);
    const isCalled = code[at + text.length] === '(' || path.length > 1;
    yield { at, text, path, isCalled, isMethod: false };
  }
}

/** Splits a name. `Shop::Cart.new` gives the names of the class. */
function splitPath(text: string): string[] {
  return text.replace(/\.new$/, '').split(SEPARATOR);
}
