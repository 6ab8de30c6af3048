import type { IssueSyntax } from '../../languages/issue-syntax.ts';

/** An identifier with its qualifiers, such as `Cart.total`. */
export interface QualifiedName {
  at: number;
  text: string;
  /** Identifiers, with the start of each in `text`. */
  parts: { name: string; at: number }[];
}

/** Finds the identifiers of a text in order, each as long as any language's pattern matches. */
export function findQualifiedNames(
  text: string,
  syntaxes: readonly IssueSyntax[],
): QualifiedName[] {
  // Languages share patterns.
  const forms = new Map(
    syntaxes.map((syntax) => [`${syntax.qualifiedName} ${syntax.separator}`, syntax]),
  );
  const found = Array.from(forms.values()).flatMap(({ qualifiedName, separator }) =>
    Array.from(text.matchAll(qualifiedName), ({ 0: name, index }) => {
      return { at: index, text: name, parts: splitParts(name, separator) };
    }),
  );
  if (forms.size === 1) return found;
  let end = 0;
  return found
    .sort((a, b) => a.at - b.at || b.text.length - a.text.length)
    .filter((name) => {
      if (name.at < end) return false;
      end = name.at + name.text.length;
      return true;
    });
}

function splitParts(text: string, separator: string | RegExp): QualifiedName['parts'] {
  let at = 0;
  return text.split(separator).map((name) => {
    at = text.indexOf(name, at);
    const part = { name, at };
    at += name.length;
    return part;
  });
}
