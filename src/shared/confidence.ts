/**
 * A search's `confidence` for people, in percent: to the nearest 5, because it is not known better, and never sure.
 * @param confidence 0 to 1, see `SearchResponse`.
 */
export function percentSure(confidence: number): number {
  return Math.min(95, Math.max(5, Math.round(confidence * 20) * 5));
}
