/** Syntax of issues about Python: sessions, tracebacks of Python, IPython and pytest, and scripts. */

import type { IssueScript, IssueSyntax, ScriptBinding } from '../issue-syntax.ts';
import { findUses } from '../scripts.ts';

/** Dotted name. The pattern cannot fail after its first character, so it takes linear time. */
const DOTTED = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;

export const pythonIssues: IssueSyntax = {
  codeLine:
    /^(?:from [\w.]{1,100} import\b|import [\w.]{1,100}(?:$| as |,)|(?:async )?def \w|class \w{1,80}[(:]|@[\w.]{1,80}(?:\(|$)|(?:if|for|while|with|elif|except|else|try)\b.{0,200}:$|(?:raise|assert|return) [\w.]{1,80}\(|[\w.[\]'"]{1,80}(?:, ?[\w.]{1,40}){0,4} ?[-+*/|&]?= ?[^\s=]|[\w.]{1,100}\(.{0,200}\)[;,]?$|[)\]}]{1,5},?$)/,
  prompt: /^\s{0,8}(?:>>>|\.\.\.(?:\s|$)|In \[\d{1,6}\]:|Out ?\[\d{1,6}\]:)/,
  input: /^(?:>>> |\.\.\. |In \[\d{1,6}\]:)/,
  traceback: {
    begins:
      /Traceback \(most recent call last\)|^\s{0,12}File ["“][^"“”]{1,200}["“”], line \d|^\s{0,8}File \S{1,200}:\d{1,7}, in |^\S{1,200}\.py:\d{1,7}: in |^\S{1,200}\.py in \w{1,80}\(|^\s{0,12}[\w.]{0,100}(?:Error|Exception|Warning): \S/,
    // Source lines, arrows, line numbers, pytest's marks, text between chained tracebacks, and finally the exception.
    continues:
      /^(?:\s|$|[->]{2,}|>|E\s|\d{1,7}\s|[-_=*]{3,}|\.\.\.|During handling of|The above exception|[\w.]{0,100}(?:Error|Exception|Warning|Exit|Interrupt)\b|[\w.]{1,100}: )/,
  },
  // Forms of Python, also with typographic quotation marks; of newer IPython; of pytest; of older IPython, with the line number
  // at a later arrow; of pdb; and of AutoGraph, for functions that TensorFlow rewrote.
  innermost: 'last',
  frames: [
    /\bFile ["“”](?<path>[^"“”\n]{1,500})["“”], line (?<line>\d{1,7})(?:, in (?<name>[^\s,]{1,200}))?/g,
    /\bFile (?<path>(?:[A-Za-z]:)?[^\s":][^\n":]{0,400}\.\w{1,8}):(?<line>\d{1,7}), in (?<name>[\w.<>]{1,200})/g,
    /^[ \t>]{0,20}(?<path>(?:[A-Za-z]:)?[^\s:"'()>][^\s:"'()]{0,400}\.\w{1,8}):(?<line>\d{1,7}):[ \t]{0,20}(?:in (?<name>[\w.<>]{1,200})|$|(?=[\w.]{0,200}(?:Error|Exception|Warning|Failed)\b))/gm,
    /^[ \t]{0,20}(?<path>(?:[A-Za-z]:)?[~./\\\w-][^\s:"'()]{0,400}\.\w{1,8}) in (?<name>[\w.<>]{1,200})\([^\n]{0,500}\n(?:[^\n]{0,200}\n){0,8}?-{2,}> ?(?<line>\d{1,7})\b/gm,
    /^[ \t]{0,8}(?:> )?(?<path>(?:[A-Za-z]:)?[~./\\\w-][^\s:"'()]{0,400}\.\w{1,8})\((?<line>\d{1,7})\)(?<name>[\w<>]{1,200})\(\)(?:->[^\n]{0,200})?$/gm,
    /^[ \t]{1,12}(?<path>(?:[A-Za-z]:)?[~./\\\w-][^\s:"'()]{0,400}\.\w{1,8}):(?<line>\d{1,7}) (?<name>\w{1,200}) {2}\*{1,2}$/gm,
  ],
  moduleFrame: '<module>',
  // `ValueError: not a date` in a traceback, a title or a sentence.
  error: /(?:Error|Exception|Warning)['"`*]{0,3}:[ \t]{1,4}(?<message>[^\n]{3,300})/g,
  environment: {
    heading: /\bshow_versions\b/i,
    line: /^[-*>\s]{0,10}Python(?: version)?\s{0,3}[:=]/i,
  },
  trained: {
    prompt: /^[ \t]*(?:>>>|\.\.\.|In \[[0-9]*\]:)/,
    frame:
      /^[ \t]*File ".*?", line [0-9]|^[^ \t]+\.py:[0-9]|^[ \t]*(?:>[ \t]*)?[^ \t]+\.py in |^-+> *[0-9]|^[ \t]*Traceback \(most recent/,
  },
  qualifiedName: DOTTED,
  separator: '.',
  specialName: /^__[^_].*__$/,
  words: null,
  sourceFile: /\.(?:pyx?|pyi)$/,
  sourceRoots: new Set(['src', 'lib', 'python']),
  // `pkg/sub/mod.py` gives pkg/sub/mod, `pkg/__init__.py` gives pkg.
  getModule: (path) => path.replace(/(?:\/__init__)?\.\w+$/, ''),
  readScript,
};

const FROM =
  /^[\s>.]{0,24}(?:In \[\d{1,6}\]: )?from (?<module>[\w.]{1,200}) import \(?(?<names>[^\n#]{1,500})/gm;
const IMPORT = /^[\s>.]{0,24}(?:In \[\d{1,6}\]: )?import (?<modules>[\w., ]{1,500})/gm;
const ASSIGNED = /\b(?<local>[A-Za-z_]\w{0,60}) ?= ?(?<value>[A-Za-z_][\w.]{0,200})\(/g;
const AS = /(?<!\s)\s+as\s+/;
const METHOD = /[\])'"]\.(?<method>[A-Za-z_]\w{0,100})\(/g;

function readScript(code: string): IssueScript {
  const bindings: ScriptBinding[] = [];
  for (const { groups: { module = '', names = '' } = {} } of code.matchAll(FROM)) {
    bindings.push(...parseFromImport(module.split('.'), names));
  }
  for (const { groups: { modules = '' } = {} } of code.matchAll(IMPORT)) {
    bindings.push(...modules.split(',').map(parseImport));
  }
  for (const { groups: { local = '', value = '' } = {} } of code.matchAll(ASSIGNED)) {
    bindings.push({ kind: 'value', local, path: value.split('.') });
  }
  return { bindings, uses: findUses(code, DOTTED, '.', METHOD) };
}

/** Parses the names of `from module import a, b as c, *`. */
function parseFromImport(module: string[], names: string): ScriptBinding[] {
  return names.split(',').flatMap((name): ScriptBinding[] => {
    const [member = '', local = member] = name.replace(')', '').trim().split(AS);
    if (member === '*') return [{ kind: 'open', path: module }];
    return /^\w+$/.test(member) ? [{ kind: 'import', local, path: [...module, member] }] : [];
  });
}

/** Parses an import: `import a.b` binds `a`, `import a.b as c` binds `c` to `a.b`. */
function parseImport(one: string): ScriptBinding {
  const [module = '', local] = one.trim().split(AS);
  const path = module.split('.');
  const [first = ''] = path;
  return local ? { kind: 'import', local, path } : { kind: 'import', local: first, path: [first] };
}
