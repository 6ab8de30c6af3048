/** The manifests that make a folder a package, and where each has its name. */
import { basename, extname } from 'node:path/posix';

/** Values of TOML and of INI files by their full names, as far as telling a package's name takes. */

/**
 * Yields the settings of a file in their order: `project.name` for `name` in the table `[project]`; a table's own name with `value` null.
 * Values are texts without their quotes; one of several lines is left out. It takes what no parser would, in linear time: a
 * parser of TOML may take much longer than it should over a text that is made for that.
 */
function* readSettings(text: string): Generator<{ key: string; value: string | null }> {
  let table = '';
  let until: string | null = null;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (until !== null) {
      if (line.includes(until)) until = null;
    } else if (line.startsWith('[')) {
      table = nameOfTable(line);
      yield { key: table, value: null };
    } else {
      const equals = line.indexOf('=');
      if (equals < 0 || line.startsWith('#') || line.startsWith(';')) continue;
      const value = line.slice(equals + 1).trim();
      until = opensLines(value);
      const key = line.slice(0, equals).trim();
      if (until === null) yield { key: table ? `${table}.${key}` : key, value: unquoted(value) };
    }
  }
}

/** `[a.b]  # comment` and `[[a.b]]` are both a.b. */
function nameOfTable(line: string): string {
  const start = line.startsWith('[[') ? 2 : 1;
  const end = line.indexOf(']');
  return line.slice(start, end < 0 ? undefined : end).trim();
}

/** The quotes that end a value of several lines, where this is the first of them. */
function opensLines(value: string): string | null {
  const quotes = value.slice(0, 3);
  const isLong = quotes === '"""' || quotes === "'''";
  return isLong && !value.includes(quotes, 3) ? quotes : null;
}

function unquoted(value: string): string {
  const [quote = ''] = value;
  if (quote !== '"' && quote !== "'") return value;
  const end = value.indexOf(quote, 1);
  return end < 0 ? value : value.slice(1, end);
}

/** Texts of elements of XML, as far as telling a package's name takes. */

/** Elements further in are passed over: a text may be nothing but opening tags. */
const DEEPEST = 8;

/**
 * Elements without others in them: their names from the outermost on, `project/artifactId`, and their text. It takes what no
 * parser would, knows no entities, and takes linear time.
 */
function* readElements(text: string): Generator<{ path: string; text: string }> {
  const open: string[] = [];
  /** Where the text of the element begins that was opened last; -1 once another has ended. */
  let content = -1;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const aside = ASIDES.find(([start]) => text.startsWith(start, at));
    const close = text.indexOf(aside ? aside[1] : '>', at);
    if (close < 0) return;
    if (!aside && text[at + 1] === '/') {
      if (content >= 0 && open.length <= DEEPEST)
        yield { path: open.join('/'), text: text.slice(content, at).trim() };
      open.pop();
      content = -1;
    } else if (!aside && text[close - 1] !== '/') {
      open.push(getTagName(text.slice(at + 1, close)));
      content = close + 1;
    }
    at = text.indexOf('<', close);
  }
}

/** Beginnings and ends of markup that is not an element, longer beginnings first. */
const ASIDES = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
] as const;

function getTagName(tag: string): string {
  const end = tag.search(/\s/);
  return end < 0 ? tag : tag.slice(0, end);
}

export interface PackageKind {
  /** What a source file beside it may be called: its role says what the package is for. */
  source: string;
  /**
   * The package's name as a manifest has it; null where it has none, undefined where it makes no package.
   * @throws what its parser throws; the package then has no name of its own
   */
  read(text: string, path: string): string | null | undefined;
}

/** Fields of a `package.json` without a name that make a package of it all the same. */
const OF_PACKAGES = ['dependencies', 'devDependencies', 'peerDependencies', 'scripts'];
const OF_COMPOSER = ['require', 'autoload'];

/** By the manifest's name. Of several in one folder the first that has a name gives it. */
const BY_NAME = new Map<string, PackageKind>([
  ['pyproject.toml', { source: 'index.py', read: readPyproject }],
  ['setup.cfg', { source: 'index.py', read: readSetupConfig }],
  ['setup.py', { source: 'index.py', read: readSetupScript }],
  ['Cargo.toml', { source: 'index.rs', read: readCargo }],
  ['go.mod', { source: 'index.go', read: readGoModule }],
  ['pom.xml', { source: 'Index.java', read: (text) => valueAt(text, ['project/artifactId']) }],
  ['build.gradle', { source: 'Index.java', read: () => null }],
  ['build.gradle.kts', { source: 'Index.java', read: () => null }],
  ['composer.json', { source: 'index.php', read: (text) => readJson(text, OF_COMPOSER) }],
  ['package.json', { source: 'index.js', read: (text) => readJson(text, OF_PACKAGES) }],
  ['Gemfile', { source: 'index.rb', read: () => null }],
]);
/** By its extension: there the file's own name is a name as well. */
const BY_EXTENSION = new Map<string, PackageKind>([
  ['.csproj', { source: 'Index.cs', read: readProject }],
  ['.gemspec', { source: 'index.rb', read: readGemspec }],
]);

const ORDER = [...BY_NAME.values(), ...BY_EXTENSION.values()];

/** What kind of manifest a file is, by its name; null for all others. */
export function packageKindOf(path: string): PackageKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return BY_NAME.get(name) ?? BY_EXTENSION.get(extname(name)) ?? null;
}

/** Which of the kinds in one folder goes before: the smaller. */
export function orderOf(kind: PackageKind): number {
  return ORDER.indexOf(kind);
}

function readJson(text: string, others: readonly string[]): string | null | undefined {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null) return undefined;
  if ('name' in json && typeof json.name === 'string') return json.name;
  // Others say nothing but how the files of their folder are to be read: {"type": "module"}.
  return others.some((field) => field in json) ? null : undefined;
}

/** Of what is set under some names, the value of the first name that has one. */
function firstOf(values: ReadonlyMap<string, string | null>, keys: readonly string[]) {
  return keys.map((key) => values.get(key)).find((value) => typeof value === 'string') ?? null;
}

function tableOf(text: string): Map<string, string | null> {
  return new Map(Iterator.from(readSettings(text)).map(({ key, value }) => [key, value]));
}

/** Many have a `pyproject.toml` for nothing but the settings of tools. */
function readPyproject(text: string): string | null | undefined {
  const values = tableOf(text);
  const makes = ['project', 'build-system', 'tool.poetry'].some((table) => values.has(table));
  return makes ? firstOf(values, ['project.name', 'tool.poetry.name']) : undefined;
}

function readSetupConfig(text: string): string | null | undefined {
  const values = tableOf(text);
  const makes = values.has('metadata') || values.has('options');
  return makes ? firstOf(values, ['metadata.name']) : undefined;
}

/** A `Cargo.toml` without `[package]` is of a workspace alone. */
function readCargo(text: string): string | null | undefined {
  const values = tableOf(text);
  return values.has('package') ? firstOf(values, ['package.name']) : undefined;
}

function readSetupScript(text: string): string | null | undefined {
  const call = text.indexOf('setup(');
  const imports = text.includes('setuptools') || text.includes('distutils');
  if (call < 0 || !imports) return undefined;
  return /\bname {0,9}= {0,9}["']([^"'\n]{1,300})["']/.exec(text.slice(call))?.[1] ?? null;
}

function readGoModule(text: string): string | null | undefined {
  for (const line of text.split('\n')) {
    const [verb, path = ''] = line.trim().split(/\s/);
    if (verb === 'module') return path.replaceAll(/["`]/g, '') || null;
  }
  return null;
}

function readProject(text: string, path: string): string {
  const properties = ['PackageId', 'AssemblyName'].map((name) => `Project/PropertyGroup/${name}`);
  return valueAt(text, properties) ?? basename(path, '.csproj');
}

/** The text of the first element of these that a file has; null for what is put together elsewhere: `${artifact}`, `$(Name)`. */
function valueAt(text: string, paths: readonly string[]): string | null {
  for (const element of readElements(text))
    if (paths.includes(element.path) && !element.text.includes('$')) return element.text;
  return null;
}

function readGemspec(text: string, path: string): string {
  const said = /\.name {0,9}= {0,9}["']([^"'\n]{1,300})["']/.exec(text)?.[1];
  return said ?? basename(path, '.gemspec');
}
