/** Finds names in scripts of languages that call methods after a dot. */
import type { NameUse } from './issue-syntax.ts';

/** Maximum length of a name in UTF-16 units. Nobody writes longer ones. */
const MAX_NAME = 300;
const METHOD = /[\])'"]\??\.(?<method>[A-Za-z_]\w{0,100})\(/g;

/**
 * Returns the names of a script, in the form of `IssueScript.uses`.
 * @param name pattern of a qualified name, global
 * @param method pattern of a method of an unnamed expression, global, with a group `method`
 */
export function findUses(
  code: string,
  name: RegExp,
  separator: string | RegExp,
  method = METHOD,
): NameUse[] {
  const names = Array.from(code.matchAll(name), ({ 0: text, index: at }): NameUse => {
    const isCalled = code[at + text.length] === '(';
    return { at, text, path: text.split(separator), isCalled, isMethod: false };
  });
  const methods = Array.from(code.matchAll(method), ({ 0: match, index, groups }): NameUse => {
    const text = groups?.method ?? '';
    return { at: index + match.indexOf(text), text, path: [text], isCalled: true, isMethod: true };
  });
  const isName = ({ at, text }: NameUse) => text.length <= MAX_NAME && code[at - 1] !== '.';
  return [...names.filter(isName), ...methods];
}
