const DEFAULT_FONT = 'JetBrains Mono Variable';

/**
 * Returns the CSS font families of a user's list, each quoted since names may contain any character, with the app's own font as
 * a fallback.
 */
export function formatFontFamilies(listed: string): string {
  const names = listed.split(',').map((name) => name.trim().replace(/^["']|["']$/g, ''));
  return [...names, DEFAULT_FONT]
    .filter((name) => name !== '')
    .map((name) => `"${name.replace(/["\\]/g, '\\$&').replace(/\s/g, ' ')}"`)
    .join(', ');
}

export interface CodeFont {
  fontFamily: string;
  /** In pixels. */
  fontSize: number;
  lineHeight: number;
}

/** Returns the font of an element from its computed style. */
export function getCodeFont({
  fontFamily,
  fontSize,
  lineHeight,
}: Pick<CSSStyleDeclaration, 'fontFamily' | 'fontSize' | 'lineHeight'>): CodeFont {
  // Rounded to whole pixels. Otherwise, lines start between pixels and decorations are off by one.
  const line = Math.round(Number.parseFloat(lineHeight));
  return { fontFamily, fontSize: Number.parseFloat(fontSize), lineHeight: line };
}
