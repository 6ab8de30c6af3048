/** A whole number as English writes it: `12,345`. The runtime's own way reads its tables of all languages first, for 12 ms. */
export const grouped = (n: number): string =>
  String(Math.round(n)).replace(/\B(?=(?:\d{3})+$)/g, ',');
