/** What a search of all repositories found, for people: the list, and where each result is. */
import type { FleetResponse, FleetResult } from '../shared/fleet.ts';
import { visible } from '../shared/visible.ts';
import { renderResults } from './results.ts';
import type { Session } from './session.ts';
import { count } from './terminal.ts';

export function renderFleet(response: FleetResponse, session: Session): string[] {
  const { results, fleet } = response;
  const named = results.map((one) => ({ ...one, path: `${one.repository}/${one.path}` }));
  const hidden = fleet.hidden > 0 ? `, ${count(fleet.hidden)} that you may not read` : '';
  const { dim } = session.colors;
  return [
    ...renderResults({ ...response, results: named }, session, null),
    dim(` fleet  ${count(fleet.searched)} searched${hidden}`),
    ...placesOf(results).map(dim),
  ];
}

/** Where results are: the lines on the host of each, and once the folder and commit of those that are on none. */
function placesOf(results: readonly FleetResult[]): string[] {
  const ranks = new Map<string, number[]>();
  for (const { rank, link, url, commit } of results) {
    const place = link ?? `${url} at ${commit.slice(0, 10)}`;
    ranks.set(place, [...(ranks.get(place) ?? []), rank]);
  }
  return Array.from(ranks, ([place, of]) => `${of.join(', ').padStart(7)}  ${visible(place)}`);
}
