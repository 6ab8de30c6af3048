/** Matches patterns with one star, as in `exports`, `imports` and `paths`. */
import type { ManifestEntry } from '../facts.ts';

/** Returns the targets of a name from the best entry: the same name, or the longest text before a star. Null if none matches. */
export function findTargets(name: string, entries: readonly ManifestEntry[]): string[] | null {
  let best: { to: readonly string[]; matched: string | null; length: number } | null = null;
  for (const entry of entries) {
    if (entry.name === name) return entry.to;
    const star = entry.name.indexOf('*');
    // Older packages use folders without a star: `./lib/`.
    const isFolder = star < 0 && entry.name.endsWith('/');
    if (star < 0 && !isFolder) continue;
    const start = isFolder ? entry.name : entry.name.slice(0, star);
    const end = isFolder ? '' : entry.name.slice(star + 1);
    const fits =
      name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
    if (!fits || (best && best.length >= start.length)) continue;
    const matched = name.slice(start.length, name.length - end.length);
    const to = isFolder ? entry.to.map((target) => `${target}*`) : entry.to;
    best = { to, matched, length: start.length };
  }
  const matched = best?.matched ?? '';
  return best?.to.map((target) => target.replaceAll('*', () => matched)) ?? null;
}
