/** A count as English writes it: `12,345`. The runtime's own way reads its tables of all languages first, for 12 ms. */
export function grouped(count: number): string {
  let rest = String(Math.round(count));
  let groups = '';
  for (; rest.length > 3; rest = rest.slice(0, -3)) groups = `,${rest.slice(-3)}${groups}`;
  return rest + groups;
}
