/** Formats a count with English separators: `12,345`. `Intl` would take 12 ms to load its tables of all languages first. */
export function formatCount(count: number): string {
  let rest = String(Math.round(count));
  let groups = '';
  for (; rest.length > 3; rest = rest.slice(0, -3)) groups = `,${rest.slice(-3)}${groups}`;
  return rest + groups;
}

/** Formats a count with its noun: `1 chunk`, `12,345 chunks`. @param plural of a noun that does not end in `s` */
export function formatCounted(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
