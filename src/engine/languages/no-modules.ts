import type { Module, ModuleResolver } from './modules.ts';

/** For languages whose imports name no files: what they mean is told by the namespaces that files say they are in. */
export const NO_MODULES: ModuleResolver = {
  add: () => undefined,
  remove: () => undefined,
  imported: () => ({ module: null, names: [] }),
  bound: (_importer, _fact, named: Module) => named,
  child: () => null,
};
