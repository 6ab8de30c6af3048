/** What became of a fleet's repositories, by their list and their states in object storage; the engine is not asked. */
import type { FleetStatus } from '../../shared/fleet.ts';
import { eachOf } from '../each-of.ts';
import type { Catalog } from './catalog.ts';

const AT_ONCE = 8;

/**
 * @param most repositories that are looked at, in the order of their names
 * @throws LocusError `bad-objects`, `cancelled`
 */
export async function fleetStatus(
  catalog: Catalog,
  { most = Number.POSITIVE_INFINITY, signal }: { most?: number; signal?: AbortSignal } = {},
): Promise<FleetStatus> {
  const entries = [...(await catalog.entries(signal))].sort(([, a], [, b]) =>
    a.name < b.name ? -1 : Number(a.name > b.name),
  );
  const looked = entries.slice(0, most);
  const repositories = await eachOf(looked, AT_ONCE, async ([key, { name, url, ref }]) => {
    const { indexed, lease, failure, removing } = (await catalog.state(key, signal)).value;
    return { name, url, ref, indexed, working: lease !== null, failure, removing };
  });
  return { repositories, more: entries.length - looked.length };
}
