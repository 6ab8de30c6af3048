/** Syntax of issues about PHP: stack traces, errors with locations, and names with backslashes. */
import { createCodeWords } from '../code-words.ts';
import type { IssueScript, IssueSyntax, NameUse, ScriptBinding } from '../issue-syntax.ts';

const QUALIFIED =
  /(?<![$\p{L}\p{N}_]|[\p{L}\p{N}_]\\)\$?[\p{L}_][\p{L}\p{N}_]*(?:(?:\\(?=\p{Lu})|::|->)[\p{L}_][\p{L}\p{N}_]*)*/gu;
const SEPARATOR = /\\|::|->/g;
/** Text that identifies code as PHP. Other code is ignored. */
const MARK =
  /<\?php|^[ \t]{0,40}(?:use [\w\\]{1,200};|namespace [\w\\]{1,200};|\$\w{1,80} ?=|\$\w{1,80}->)/m;
const USE = /^[ \t]{0,40}use (?<path>[\w\\]{1,200})(?: as (?<alias>\w{1,80}))?;/gm;
const ASSIGNED =
  /(?<local>\$\w{1,60}) ?= ?(?:new )?(?<value>[$\\]?[A-Za-z_]\w{0,80}(?:(?:\\|::|->)\w{1,80}){0,8})[(;]/g;
const NAME = /\$?[\p{L}_][\p{L}\p{N}_]*(?:(?:\\|::|->)[\p{L}_][\p{L}\p{N}_]*)*/gu;
/** Maximum length of a name in UTF-16 units. Nobody writes longer ones. */
const MAX_NAME = 300;

export const phpIssues: IssueSyntax = {
  codeLine:
    /^(?:<\?php|use [\w\\]{1,200}(?: as \w{1,80})?;$|namespace [\w\\]{1,200};$|\$\w{1,80}(?:->\w{1,80}){0,6} ?(?:[.+-]?=|\().{0,200}$|\$this->|(?:public|private|protected|final|abstract) (?:static )?function |echo .{0,200};$|(?:return|throw) .{0,200};$)/,
  prompt: /^\s{0,8}(?:php > |>>> \$)/,
  input: /^(?:php > )/,
  traceback: {
    begins:
      /^\s{0,8}(?:PHP )?(?:Fatal error|Parse error|Warning|Notice|Deprecated|Uncaught \S{1,200}): |^\s{0,8}#0 \S{1,400}\(\d{1,7}\): |^\s{0,8}Stack trace:|^\s{0,8}PHP Stack trace:/,
    continues: /^(?:\s|$|#\d{1,4} |Stack trace:|PHP +\d{1,4}\. | {2}thrown in |thrown in |Next \S)/,
  },
  // Stack traces; Xdebug; locations of errors, also in logs and in Composer's output; Symfony; Laravel's and PHPUnit's
  // `/path/file.php:12`.
  innermost: 'first',
  frames: [
    /^[ \t]{0,12}(?:PHP {1,4})?#\d{1,4} (?<path>[^\n(]{1,400}\.(?:php\d?|phtml|inc))\((?<line>\d{1,7})\): (?<name>[^\s(]{1,300})?/gm,
    /^[ \t]{0,12}(?:PHP {1,4})?\d{1,4}\. (?<name>[^\s(]{1,300})\([^\n]{0,500}?\) (?<path>[^\n:]{1,400}\.(?:php\d?|phtml|inc)):(?<line>\d{1,7})/gm,
    /\b(?:in|at) (?<path>(?:phar:\/{2})?(?:[A-Za-z]:)?[^\s"'():][^\n"'():]{0,400}?\.(?:php\d?|phtml|inc))(?: on line |:)(?<line>\d{1,7})\b/g,
    // Symfony, which may continue on the next line: `at Cart->total() (src/Cart.php:12)`.
    /\)\s{1,20}\((?<path>(?:[A-Za-z]:)?[^\s"'():][^\n"'():]{0,400}?\.(?:php\d?|phtml|inc)):(?<line>\d{1,7})\)/g,
    /^[ \t]{0,12}(?:at )?(?<path>(?:[A-Za-z]:)?[\w./\\~-]{1,400}\.php):(?<line>\d{1,7})[ \t]{0,4}$/gm,
  ],
  // A frame names the called function, not the function around its location.
  readFrame: ({ path = '' }) => ({ path, name: '' }),
  moduleFrame: '{main}',
  error:
    /(?:^[ \t]{0,8}(?:PHP )?(?:Fatal error|Parse error|Notice|Deprecated)|\bPHP Warning|\bUncaught [\w\\]{1,200}):[ \t]{1,4}(?<message>[^\n]{3,300})/gm,
  environment: {
    heading: /^\W{0,8}php -v\W{0,8}$/i,
    line: /^[-*>\s]{0,10}PHP(?: version)?\s{0,3}[:=]?\s{0,3}v?\d/i,
  },
  trained: null,
  qualifiedName: QUALIFIED,
  separator: SEPARATOR,
  specialName: /^__[a-z]\w*$/,
  words: createCodeWords(new URL('./', import.meta.url), {
    fence: /^php\d?$/,
  }),
  sourceFile: /\.(?:php\d?|phtml|inc)$/i,
  sourceRoots: new Set(['src', 'lib', 'app']),
  getModule: (path) => (/\.php$/i.test(path) ? path.replace(/\.php$/i, '') : ''),
  readScript: (code) => (MARK.test(code) ? readPhp(code) : { bindings: [], uses: [] }),
};

function readPhp(code: string): IssueScript {
  const bindings: ScriptBinding[] = [];
  for (const { groups: { path: text = '', alias } = {} } of code.matchAll(USE)) {
    const path = splitNames(text);
    bindings.push({ kind: 'import', local: alias ?? path.at(-1) ?? '', path });
  }
  for (const { groups: { local = '', value = '' } = {} } of code.matchAll(ASSIGNED))
    bindings.push({ kind: 'value', local, path: splitNames(value) });
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
  return text.split(SEPARATOR).filter((name) => name !== '');
}
