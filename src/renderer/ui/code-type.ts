const OWN = 'JetBrains Mono Variable';

/**
 * The families for CSS that a user listed, quoted one by one, and the app's own after them: a name may hold anything,
 * and one that is not installed must not leave the code without a font.
 */
export function fontFamilies(listed: string): string {
  const names = listed.split(',').map((name) => name.trim().replace(/^["']|["']$/g, ''));
  return [...names, OWN]
    .filter((name) => name !== '')
    .map((name) => `"${name.replace(/["\\]/g, '\\$&').replace(/\s/g, ' ')}"`)
    .join(', ');
}

export interface CodeType {
  fontFamily: string;
  /** In pixels. */
  fontSize: number;
  lineHeight: number;
}

/** Returns the type of an element from its computed style. */
export function codeTypeOf({
  fontFamily,
  fontSize,
  lineHeight,
}: Pick<CSSStyleDeclaration, 'fontFamily' | 'fontSize' | 'lineHeight'>): CodeType {
  // Whole pixels: lines would lie between two, and their decorations a pixel off.
  const line = Math.round(Number.parseFloat(lineHeight));
  return { fontFamily, fontSize: Number.parseFloat(fontSize), lineHeight: line };
}
