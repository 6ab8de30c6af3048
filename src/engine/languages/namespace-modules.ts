import type { ImportFact } from './facts.ts';
import type { Imported, Module, ModuleResolver } from './modules.ts';

/**
 * Resolves imports by declared namespaces, independent of file paths: `import a.b.C` looks into the namespace `a.b`, or into
 * the class `b` of the namespace `a`.
 */
export class NamespaceModules implements ModuleResolver {
  readonly #hasNamespace: (name: string) => boolean;

  constructor(hasNamespace: (name: string) => boolean) {
    this.#hasNamespace = hasNamespace;
  }

  add(): void {}

  remove(): void {}

  imported(_importer: string, { module }: ImportFact): Imported {
    const segments = module.split('.');
    const names: string[] = [];
    for (let length = segments.length; length > 0; length--) {
      const namespace = segments.slice(0, length).join('.');
      names.push(namespace);
      if (this.#hasNamespace(namespace)) {
        const inner = segments.slice(length);
        return { module: { file: null, folder: null, namespace, inner }, names };
      }
    }
    return { module: null, names };
  }

  bound(_importer: string, _fact: ImportFact, named: Module): Module {
    return named;
  }

  child(): Module | null {
    return null;
  }
}
