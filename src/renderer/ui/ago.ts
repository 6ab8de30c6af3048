/** How long ago something was, as people say it. */

type Unit = [name: Intl.RelativeTimeFormatUnit, seconds: number];
const MINUTE: Unit = ['minute', 60];
const UNITS: readonly Unit[] = [MINUTE, ['hour', 3600], ['day', 86_400]];

/** `just now`, `3 hours ago`, `yesterday`; after 30 days the date. `time` in milliseconds since 1970. */
export function ago(time: number): string {
  const seconds = (Date.now() - time) / 1000;
  if (seconds < 60) return 'just now';
  if (seconds > 30 * 86_400)
    return new Date(time).toLocaleDateString('en', { dateStyle: 'medium' });
  const [unit, length] = UNITS.findLast(([, length]) => seconds >= length) ?? MINUTE;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return format.format(-Math.floor(seconds / length), unit);
}
