import type { FleetCatalog } from '../../src/services/fleet/catalog.ts';
import type { FleetEngine } from '../../src/services/fleet/engine.ts';
import type { Fleet } from '../../src/services/fleet/fleet.ts';

/** A fleet whose engine answers from memory. `folder`: the fleet's folder on this machine. */
export function fleetOf(catalog: FleetCatalog, engine: object, folder: string): Fleet {
  return {
    catalog,
    engine: engine as FleetEngine,
    model: 'bag-1@3.0.0',
    folder,
    dataDir: undefined,
    [Symbol.asyncDispose]: async () => catalog[Symbol.dispose](),
  };
}
