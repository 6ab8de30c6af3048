import type { IssueSyntax } from '../../languages/issue-syntax.ts';

/** An identifier with what it belongs to in front of it. */
export interface QualifiedName {
  /** Where it begins, in UTF-16 units. */
  at: number;
  text: string;
  /** The identifiers, and where in the text each begins. */
  parts: { name: string; at: number }[];
}

/** The identifiers of a text in order, each as far as any language takes it. */
export function qualifiedNames(text: string, syntaxes: readonly IssueSyntax[]): QualifiedName[] {
  const found = syntaxes.flatMap(({ qualifiedName, separator }) =>
    Array.from(text.matchAll(qualifiedName), ({ 0: name, index }) => {
      return { at: index, text: name, parts: partsOf(name, separator) };
    }),
  );
  if (syntaxes.length === 1) return found;
  let end = 0;
  return found
    .sort((a, b) => a.at - b.at || b.text.length - a.text.length)
    .filter((name) => {
      if (name.at < end) return false;
      end = name.at + name.text.length;
      return true;
    });
}

function partsOf(text: string, separator: string | RegExp): QualifiedName['parts'] {
  let at = 0;
  return text.split(separator).map((name) => {
    at = text.indexOf(name, at);
    const part = { name, at };
    at += name.length;
    return part;
  });
}
