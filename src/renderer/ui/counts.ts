const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size in decimal units, as file managers do: `12.3 MB`. */
export function formatBytes(count: number): string {
  let unit = 0;
  let value = count;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

type Unit = [name: Intl.RelativeTimeFormatUnit, seconds: number];
const MINUTE: Unit = ['minute', 60];
const TIME_UNITS: readonly Unit[] = [MINUTE, ['hour', 3600], ['day', 86_400]];

/** Formats a past time: `just now`, `3 hours ago`, `yesterday`; after 30 days, the date. @param time milliseconds since 1970 */
export function formatAgo(time: number): string {
  const seconds = (Date.now() - time) / 1000;
  if (seconds < 60) return 'just now';
  if (seconds > 30 * 86_400)
    return new Date(time).toLocaleDateString('en', { dateStyle: 'medium' });
  const [unit, length] = TIME_UNITS.findLast(([, length]) => seconds >= length) ?? MINUTE;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return format.format(-Math.floor(seconds / length), unit);
}
