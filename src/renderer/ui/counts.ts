/** Counts as people write them. */

const NUMBERS = new Intl.NumberFormat('en');

/** `12,345` */
export const number = (count: number): string => NUMBERS.format(count);

/** `1 chunk`, `12,345 chunks` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;
