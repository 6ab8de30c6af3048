/** What `Cargo.toml` says of crates. https://doc.rust-lang.org/cargo/reference/manifest.html */
import type { ManifestEntry } from '../facts.ts';
import type { GraphRules } from '../language.ts';
import { entryOf, fieldOf, fieldsOf, type Json, textsOf } from '../manifests.ts';

const DEPENDENCIES = ['dependencies', 'dev-dependencies', 'build-dependencies'];
const TARGETS = ['bin', 'test', 'example', 'bench'];

/**
 * `package`, `library` and `root` (files of crates with a path of their own); `dependency` with how and where it is found, as
 * `shared` by a workspace, and as a `patch` of what a registry has.
 */
export const manifests: GraphRules['manifests'] = {
  has: (name) => name === 'Cargo.toml',
  async read(_path, text) {
    const { parse } = await import('smol-toml');
    const toml = parse(text);
    const package_ = fieldOf(toml, 'package');
    const library = fieldOf(toml, 'lib');
    const workspace = fieldOf(toml, 'workspace');
    const targets = TARGETS.flatMap((kind) => listOf(fieldOf(toml, kind)));
    return [
      ...entryOf('package', fieldOf(package_, 'name')),
      ...entryOf('library', fieldOf(library, 'name')),
      ...entryOf('library-path', fieldOf(library, 'path')),
      ...entryOf('root', fieldOf(package_, 'build')),
      ...targets.flatMap((target) => entryOf('root', fieldOf(target, 'path'))),
      ...[toml, ...fieldsOf(fieldOf(toml, 'target')).map(([, table]) => table)].flatMap((table) =>
        DEPENDENCIES.flatMap((kind) => dependencyEntries('dependency', fieldOf(table, kind))),
      ),
      ...(workspace === undefined ? [] : [{ kind: 'workspace', name: '', to: [] }]),
      ...dependencyEntries('shared', fieldOf(workspace, 'dependencies')),
      ...fieldsOf(fieldOf(toml, 'patch')).flatMap(([, table]) => dependencyEntries('patch', table)),
    ];
  },
};

function listOf(value: Json): Json[] {
  return Array.isArray(value) ? value : [];
}

function dependencyEntries(kind: string, table: Json): ManifestEntry[] {
  return fieldsOf(table).map(([name, value]) => ({ kind, name, to: foundBy(name, value) }));
}

/** How and where a dependency is found: by `path`, by the `workspace`, or as a `package` of a name. */
function foundBy(name: string, value: Json): string[] {
  const [path] = textsOf(fieldOf(value, 'path'));
  if (path !== undefined) return ['path', path];
  if (fieldOf(value, 'workspace') === true) return ['workspace', name];
  return ['package', textsOf(fieldOf(value, 'package'))[0] ?? name];
}
