import type { ImportFact } from '../facts.ts';
import { FilesByModule } from '../files-by-module.ts';
import { findNearest } from '../manifests.ts';
import { formatComponentModule } from '../markup.ts';
import type { ImportTarget, ModuleResolver, RepositoryModule } from '../modules.ts';
import { listIncludes } from './include-names.ts';

/** Maximum number of files of one name that are compared. */
const MAX_COMPARED = 256;

/** Templates of a repository by the names under which others include them. */
export class TemplateFiles implements ModuleResolver {
  readonly #isTest: (path: string) => boolean;
  readonly #files = new FilesByModule(listModules);

  /** @param isTest returns true if a file is test code */
  constructor(isTest: (path: string) => boolean) {
    this.#isTest = isTest;
  }

  add(path: string, touched: Set<string>): void {
    this.#files.add(path, touched);
  }

  remove(path: string, touched: Set<string>): void {
    this.#files.remove(path, touched);
  }

  /** Returns the template of this name that is nearest to the importer, which may replace one of the same name. */
  resolveImport(importer: string, { module }: ImportFact): ImportTarget {
    const names = [module];
    const paths = this.#files.get(module);
    if (paths.size > MAX_COMPARED) return { module: null, names };
    const others = [...paths].filter((path) => path !== importer);
    const own = this.#isTest(importer) ? others : others.filter((path) => !this.#isTest(path));
    const file = own.length === 0 ? null : findNearest(importer, own);
    return { module: file === null ? null : { file, folder: null }, names };
  }

  resolveLocal(_importer: string, _fact: ImportFact, named: RepositoryModule): RepositoryModule {
    return named;
  }

  getChild(): RepositoryModule | null {
    return null;
  }
}

function listModules(path: string): Set<string> {
  return new Set(listIncludes(path).map(formatComponentModule));
}
