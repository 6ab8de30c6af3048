/** Applies the theme settings to the page, and notifies code that draws without CSS. */
import type { Settings } from '../../shared/settings.ts';
import { formatFontFamilies } from './code-type.ts';

const listeners = new Set<() => void>();

type Look = Pick<Settings, 'theme' | 'contrast' | 'zoom' | 'codeFont' | 'codeSize'>;

/** User's setting. The system may request more contrast too. */
let contrast: Settings['contrast'] = 'system';

export function applyTheme(look: Look): void {
  const { dataset, style } = document.documentElement;
  if (look.theme === 'system') delete dataset.theme;
  else dataset.theme = look.theme;
  contrast = look.contrast;
  style.setProperty('--zoom', String(look.zoom));
  style.setProperty('--code-fonts', formatFontFamilies(look.codeFont));
  style.setProperty('--code-size', String(look.codeSize));
  notify();
}

function notify(): void {
  const { dataset } = document.documentElement;
  const { matches } = window.matchMedia('(prefers-contrast: more)');
  if (matches || contrast === 'more') dataset.contrast = 'more';
  else delete dataset.contrast;
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever the values of tokens may have changed, through a setting or the system. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Follows the system's theme, contrast and colors. Returns a function that stops this. */
export function followSystemTheme(): () => void {
  notify();
  const queries = [
    '(prefers-color-scheme: dark)',
    '(prefers-contrast: more)',
    '(forced-colors: active)',
  ].map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener('change', notify);
  return () => {
    for (const query of queries) query.removeEventListener('change', notify);
  };
}

/** Returns a function that reads the current color of a token as #rrggbb. */
export function createColorReader(): (token: string) => string {
  const probe = document.createElement('i');
  // With forced colors, every color would otherwise be read as the text color.
  probe.style.forcedColorAdjust = 'none';
  document.body.append(probe);
  queueMicrotask(() => probe.remove());
  return (token) => {
    probe.style.color = `var(${token})`;
    const channels = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
    return `#${channels
      .slice(0, 3)
      .map((channel) => Math.round(Number(channel)).toString(16).padStart(2, '0'))
      .join('')}`;
  };
}

/** Returns true unless the system currently asks for reduced motion. */
export const wantsMotion = (): boolean =>
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Returns the size of a rem in pixels, which depends on the zoom of the app. */
export const getRemInPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
