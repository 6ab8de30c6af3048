/** Reads crates from `Cargo.toml`. https://doc.rust-lang.org/cargo/reference/manifest.html */
import type { ManifestEntry } from '../facts.ts';
import type { GraphRules } from '../language.ts';
import { createEntries, getField, getFields, getTexts, type JsonValue } from '../manifests.ts';

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
    const package_ = getField(toml, 'package');
    const library = getField(toml, 'lib');
    const workspace = getField(toml, 'workspace');
    const targets = TARGETS.flatMap((kind) => toList(getField(toml, kind)));
    return [
      ...createEntries('package', getField(package_, 'name')),
      ...createEntries('library', getField(library, 'name')),
      ...createEntries('library-path', getField(library, 'path')),
      ...createEntries('root', getField(package_, 'build')),
      ...targets.flatMap((target) => createEntries('root', getField(target, 'path'))),
      ...[toml, ...getFields(getField(toml, 'target')).map(([, table]) => table)].flatMap((table) =>
        DEPENDENCIES.flatMap((kind) =>
          createDependencyEntries('dependency', getField(table, kind)),
        ),
      ),
      ...(workspace === undefined ? [] : [{ kind: 'workspace', name: '', to: [] }]),
      ...createDependencyEntries('shared', getField(workspace, 'dependencies')),
      ...getFields(getField(toml, 'patch')).flatMap(([, table]) =>
        createDependencyEntries('patch', table),
      ),
    ];
  },
};

function toList(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function createDependencyEntries(kind: string, table: JsonValue): ManifestEntry[] {
  return getFields(table).map(([name, value]) => ({ kind, name, to: describeSource(name, value) }));
}

/** Returns the source of a dependency: a `path`, the `workspace`, or a `package` of a name. */
function describeSource(name: string, value: JsonValue): string[] {
  const [path] = getTexts(getField(value, 'path'));
  if (path !== undefined) return ['path', path];
  if (getField(value, 'workspace') === true) return ['workspace', name];
  return ['package', getTexts(getField(value, 'package'))[0] ?? name];
}
