/** Reads crates from `Cargo.toml`. https://doc.rust-lang.org/cargo/reference/manifest.html */
import type { ManifestEntry } from '../facts.ts';
import type { GraphRules } from '../language.ts';
import { entryOf, fieldOf, fieldsOf, type Json, textsOf } from '../manifests.ts';

const DEPENDENCIES = ['dependencies', 'dev-dependencies', 'build-dependencies'];
const TARGETS = ['bin', 'test', 'example', 'bench'];

/**
 * Reader of `Cargo.toml`. Entries are `package`, `library` and `root` (files of crates with an explicit path); `dependency`
 * with the kind and target of its source, `shared` for those of a workspace, and `patch` for replaced packages of a registry.
 */
export const manifests: GraphRules['manifests'] = {
  has: (name) => name === 'Cargo.toml',
  async read(_path, text) {
    const { parse } = await import('smol-toml');
    const toml = parse(text);
    const package_ = fieldOf(toml, 'package');
    const library = fieldOf(toml, 'lib');
    const workspace = fieldOf(toml, 'workspace');
    const targets = TARGETS.flatMap((kind) => toList(fieldOf(toml, kind)));
    return [
      ...entryOf('package', fieldOf(package_, 'name')),
      ...entryOf('library', fieldOf(library, 'name')),
      ...entryOf('library-path', fieldOf(library, 'path')),
      ...entryOf('root', fieldOf(package_, 'build')),
      ...targets.flatMap((target) => entryOf('root', fieldOf(target, 'path'))),
      ...[toml, ...fieldsOf(fieldOf(toml, 'target')).map(([, table]) => table)].flatMap((table) =>
        DEPENDENCIES.flatMap((kind) => createDependencyEntries('dependency', fieldOf(table, kind))),
      ),
      ...(workspace === undefined ? [] : [{ kind: 'workspace', name: '', to: [] }]),
      ...createDependencyEntries('shared', fieldOf(workspace, 'dependencies')),
      ...fieldsOf(fieldOf(toml, 'patch')).flatMap(([, table]) =>
        createDependencyEntries('patch', table),
      ),
    ];
  },
};

function toList(value: Json): Json[] {
  return Array.isArray(value) ? value : [];
}

function createDependencyEntries(kind: string, table: Json): ManifestEntry[] {
  return fieldsOf(table).map(([name, value]) => ({ kind, name, to: describeSource(name, value) }));
}

/** Returns the source of a dependency: a `path`, the `workspace`, or a `package` of a name. */
function describeSource(name: string, value: Json): string[] {
  const [path] = textsOf(fieldOf(value, 'path'));
  if (path !== undefined) return ['path', path];
  if (fieldOf(value, 'workspace') === true) return ['workspace', name];
  return ['package', textsOf(fieldOf(value, 'package'))[0] ?? name];
}
