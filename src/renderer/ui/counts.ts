/** Counts as people write them. */

const NUMBERS = new Intl.NumberFormat('en');

/** `12,345` */
export const number = (count: number): string => NUMBERS.format(count);

/** `1 chunk`, `12,345 chunks` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `12.3 MB`: decimal units, as file managers show them. */
export function bytes(count: number): string {
  let unit = 0;
  let value = count;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
