import { posix } from 'node:path';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ImportFact } from '../facts.ts';
import type { ImportTarget, ModuleResolver, RepositoryModule } from '../modules.ts';

/** Maximum number of files of one name that are compared. */
const MAX_COMPARED = 256;

/** Files of a repository as `#include` finds them: next to the including file, or by the end of their path. */
export class IncludeResolver implements ModuleResolver {
  readonly #byName = new Map<string, Set<string>>();

  add(path: string, touched: Set<string>): void {
    const name = posix.basename(path);
    getOrAdd(this.#byName, name, () => new Set<string>()).add(path);
    touched.add(name);
  }

  remove(path: string, touched: Set<string>): void {
    const name = posix.basename(path);
    const paths = this.#byName.get(name);
    if (paths?.delete(path) && paths.size === 0) this.#byName.delete(name);
    touched.add(name);
  }

  resolveImport(importer: string, { module }: ImportFact): ImportTarget {
    const name = posix.basename(module);
    const file = this.#find(importer, module, name);
    return { module: file === null ? null : { file, folder: null }, names: [name] };
  }

  resolveLocal(_importer: string, _fact: ImportFact, named: RepositoryModule): RepositoryModule {
    return named;
  }

  getChild(): null {
    return null;
  }

  #find(importer: string, written: string, name: string): string | null {
    const paths = this.#byName.get(name);
    if (!paths) return null;
    const beside = posix.join(posix.dirname(importer), written);
    if (paths.has(beside)) return beside;
    const end = `/${posix.normalize(written).replace(/^(?:\.\.\/)+/, '')}`;
    let best: string | null = null;
    for (const path of [...paths].slice(0, MAX_COMPARED)) {
      if (!`/${path}`.endsWith(end)) continue;
      if (best === null || isNearer(path, best, importer)) best = path;
    }
    return best;
  }
}

/** Returns true if a path shares more folders with the importer than another one; on a tie, if it is shorter or comes first. */
function isNearer(path: string, other: string, importer: string): boolean {
  const nearer = countSharedFolders(path, importer) - countSharedFolders(other, importer);
  if (nearer !== 0) return nearer > 0;
  return path.length - other.length < 0 || (path.length === other.length && path < other);
}

function countSharedFolders(a: string, b: string): number {
  const others = b.split('/');
  let shared = 0;
  for (const folder of a.split('/').slice(0, -1)) {
    if (folder !== others[shared]) break;
    shared++;
  }
  return shared;
}
