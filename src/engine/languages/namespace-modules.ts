import type { ImportFact } from './facts.ts';
import type { ImportTarget, ModuleResolver, RepositoryModule } from './modules.ts';

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

  resolveImport(_importer: string, { module }: ImportFact): ImportTarget {
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

  resolveLocal(_importer: string, _fact: ImportFact, named: RepositoryModule): RepositoryModule {
    return named;
  }

  getChild(): RepositoryModule | null {
    return null;
  }
}
