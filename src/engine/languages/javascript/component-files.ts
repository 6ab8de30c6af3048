import { posix } from 'node:path';
import { FilesByModule } from '../files-by-module.ts';
import { findNearest } from '../manifests.ts';
import { formatComponentModule } from '../markup.ts';
import { INDEX } from './sources.ts';
import { toPascalCase } from './vue.ts';

/** End of the names of files whose components are found by name, as Nuxt and plugins for Vue do. */
const COMPONENT = /(?:\.(?:client|server|global))?\.vue$/;
/** Maximum number of files of one name that are compared. */
const MAX_COMPARED = 1024;

/** Components of a repository by the names under which templates use them. */
export class ComponentFiles extends FilesByModule {
  constructor() {
    super(listModules);
  }

  /** Returns the file of a component, the one nearest to the importing file; null if no file or several are nearest. */
  find(importer: string, module: string, names: Set<string>): string | null {
    names.add(module);
    const paths = [...this.get(module)];
    return paths.length === 0 || paths.length > MAX_COMPARED ? null : findNearest(importer, paths);
  }
}

/** Returns the modules that mean a component: by its name, and by its folder and name. */
function listModules(path: string): string[] {
  if (!COMPONENT.test(path)) return [];
  const name = toPascalCase(posix.basename(path).replace(COMPONENT, ''));
  const folder = toPascalCase(posix.basename(posix.dirname(path)));
  const names = name.toLowerCase() === INDEX ? [folder] : [name, folder + name];
  return names.map(formatComponentModule);
}
