/** How values of signals are written for people. */

export const asCosine = (value: number): string => `cosine ${value.toFixed(2)}`;
export const asBm25 = (value: number): string => `BM25 ${value.toFixed(1)}`;
export const asCount = (value: number): string =>
  Number.isInteger(value) ? `${value} ×` : value.toFixed(2);
export const asShare = (value: number): string => `${Math.round(100 * value)}%`;
export const asYesOrNo = (value: number): string => (value ? 'yes' : 'no');
export const asNumber =
  (digits: number) =>
  (value: number): string =>
    value.toFixed(digits);
