/** Texts of literals in code, in any language. */
import type { SyntaxNode } from './syntax-tree.ts';

/** A string without interpolation, with the letters before it that Python allows. */
const STRING = /^[rRbBuU]{0,2}("|'|`)([^"'`\n]{0,300})\1$/;
/** Raw strings of Rust and Go's regular expressions in backquotes. */
const SYMBOL = /^:(\w{1,100})$/;
const QUOTED = /["'`]([^"'`\n]{0,100})["'`]|:(\w+)/g;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$.]{0,100}$/u;

/** Returns the content of a string or a symbol; null for other nodes, and for strings that are put together. */
export function readString(node: SyntaxNode): string | null {
  if (node.endIndex - node.startIndex > 310) return null;
  const text = node.text.trim();
  const [, , string] = STRING.exec(text) ?? [];
  if (string !== undefined) return /\$\{|#\{/.test(string) ? null : string;
  return SYMBOL.exec(text)?.[1] ?? null;
}

/** Returns the content of a string, or the last part of a name: `post_save` of `signals.post_save`. */
export function readKeyText(node: SyntaxNode): string | null {
  const string = readString(node);
  if (string !== null) return string;
  if (node.endIndex - node.startIndex > 100 || !NAME.test(node.text)) return null;
  return node.text.slice(node.text.lastIndexOf('.') + 1);
}

/** Returns the strings of a list, and the names of constants: `['GET', 'POST']`, `RequestMethod.POST`, `%i[index show]`. */
export function readList(node: SyntaxNode): string[] {
  const text = node.text.slice(0, 1000);
  const words = /^%[iwIW][[(](.*)[\])]$/s.exec(text)?.[1];
  if (words !== undefined) return words.trim().split(/\s+/);
  const quoted = Array.from(text.matchAll(QUOTED), ([, string, symbol]) => string ?? symbol ?? '');
  if (quoted.length > 0) return quoted;
  return Array.from(
    text.matchAll(/\bMethod([A-Z][a-z]+)\b|\b([A-Z]{3,7})\b/g),
    ([, go, name]) => go ?? name ?? '',
  );
}
