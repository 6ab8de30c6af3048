/** What the scripts of languages that call methods after a dot have in common. */
import type { Use } from './issue-syntax.ts';

/** Longer names, in UTF-16 units, are no person's. */
const MAX_NAME = 300;
const METHOD = /[\])'"]\??\.(?<method>[A-Za-z_]\w{0,100})\(/g;

/**
 * The names of a script as `Script.uses` has them.
 * @param name an identifier with what it belongs to in front of it, global
 * @param method a method of an expression that has no name, global, with a group `method`
 */
export function usesIn(
  code: string,
  name: RegExp,
  separator: string | RegExp,
  method = METHOD,
): Use[] {
  const names = Array.from(code.matchAll(name), ({ 0: text, index: at }): Use => {
    const isCalled = code[at + text.length] === '(';
    return { at, text, path: text.split(separator), isCalled, isMethod: false };
  });
  const methods = Array.from(code.matchAll(method), ({ 0: match, index, groups }): Use => {
    const text = groups?.method ?? '';
    return { at: index + match.indexOf(text), text, path: [text], isCalled: true, isMethod: true };
  });
  const isName = ({ at, text }: Use) => text.length <= MAX_NAME && code[at - 1] !== '.';
  return [...names.filter(isName), ...methods];
}
