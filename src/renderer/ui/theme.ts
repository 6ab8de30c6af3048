/** Applies the theme settings to the page, and tells those who draw outside of CSS. */
import type { Settings } from '../../shared/settings.ts';
import { fontFamilies } from './code-type.ts';

const listeners = new Set<() => void>();

type Look = Pick<Settings, 'theme' | 'contrast' | 'zoom' | 'codeFont' | 'codeSize'>;

/** Setting of the user. The system may ask for more contrast as well. */
let contrast: Settings['contrast'] = 'system';

export function applyTheme(look: Look): void {
  const { dataset, style } = document.documentElement;
  if (look.theme === 'system') delete dataset.theme;
  else dataset.theme = look.theme;
  contrast = look.contrast;
  style.setProperty('--zoom', String(look.zoom));
  style.setProperty('--code-fonts', fontFamilies(look.codeFont));
  style.setProperty('--code-size', String(look.codeSize));
  tell();
}

function tell(): void {
  const { dataset } = document.documentElement;
  const { matches } = window.matchMedia('(prefers-contrast: more)');
  if (matches || contrast === 'more') dataset.contrast = 'more';
  else delete dataset.contrast;
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever the tokens may have other values: by a setting or by the system. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Follows the system's own theme, contrast and colors. Returns what ends it. */
export function followSystemTheme(): () => void {
  tell();
  const queries = [
    '(prefers-color-scheme: dark)',
    '(prefers-contrast: more)',
    '(forced-colors: active)',
  ].map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener('change', tell);
  return () => {
    for (const query of queries) query.removeEventListener('change', tell);
  };
}

/** Reads a token's colour as it is now, as #rrggbb. */
export function colorReader(): (token: string) => string {
  const probe = document.createElement('i');
  // Else every colour would be read as that of the text.
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

/** Returns true unless the user's system asks for reduced motion, as it is set now. */
export const wantsMotion = (): boolean =>
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Pixels of a rem, which the zoom of the app changes. */
export const remInPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
