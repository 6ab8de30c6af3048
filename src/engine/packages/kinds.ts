/** Kinds of manifests that make a folder a package, and how to read a package's name from each. */
import { basename, extname } from 'node:path/posix';

/**
 * Yields the settings of a TOML or INI file in order: `project.name` for `name` in the table `[project]`, and each table's
 * name with `value` null. Values lose their quotes; multi-line values are left out. It accepts invalid files and takes linear
 * time: a TOML parser may take very long over a text that is made for that.
 */
function* readSettings(text: string): Generator<{ key: string; value: string | null }> {
  let table = '';
  let until: string | null = null;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (until !== null) {
      if (line.includes(until)) until = null;
    } else if (line.startsWith('[')) {
      table = getTableName(line);
      yield { key: table, value: null };
    } else {
      const equals = line.indexOf('=');
      if (equals < 0 || line.startsWith('#') || line.startsWith(';')) continue;
      const value = line.slice(equals + 1).trim();
      until = getMultilineQuotes(value);
      const key = line.slice(0, equals).trim();
      if (until === null) yield { key: table ? `${table}.${key}` : key, value: unquote(value) };
    }
  }
}

/** Returns the name of a table: `a.b` for `[a.b]  # comment` and for `[[a.b]]`. */
function getTableName(line: string): string {
  const start = line.startsWith('[[') ? 2 : 1;
  const end = line.indexOf(']');
  return line.slice(start, end < 0 ? undefined : end).trim();
}

/** Returns the quotes that end a multi-line value, if this is its first line. */
function getMultilineQuotes(value: string): string | null {
  const quotes = value.slice(0, 3);
  const isLong = quotes === '"""' || quotes === "'''";
  return isLong && !value.includes(quotes, 3) ? quotes : null;
}

function unquote(value: string): string {
  const [quote = ''] = value;
  if (quote !== '"' && quote !== "'") return value;
  const end = value.indexOf(quote, 1);
  return end < 0 ? value : value.slice(1, end);
}

/** Deeper XML elements are skipped: a text may consist of opening tags only. */
const MAX_DEPTH = 8;

/**
 * Yields XML elements without child elements: their path, such as `project/artifactId`, and their text. It accepts invalid
 * XML, does not decode entities, and takes linear time.
 */
function* readElements(text: string): Generator<{ path: string; text: string }> {
  const open: string[] = [];
  /** Start of the text of the element that was opened last; -1 after an element has ended. */
  let content = -1;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const nonElement = NON_ELEMENTS.find(([start]) => text.startsWith(start, at));
    const close = text.indexOf(nonElement ? nonElement[1] : '>', at);
    if (close < 0) return;
    if (!nonElement && text[at + 1] === '/') {
      if (content >= 0 && open.length <= MAX_DEPTH)
        yield { path: open.join('/'), text: text.slice(content, at).trim() };
      open.pop();
      content = -1;
    } else if (!nonElement && text[close - 1] !== '/') {
      open.push(getTagName(text.slice(at + 1, close)));
      content = close + 1;
    }
    at = text.indexOf('<', close);
  }
}

/** Delimiters of markup that is not an element, longer ones first. */
const NON_ELEMENTS = [
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
  /** Name that a source file in the same folder may have; its role tells the role of the package. */
  sampleSource: string;
  /**
   * Reads the package's name from a manifest; null if it has none, undefined if the manifest makes no package.
   * @throws errors of its parser; the package then has no name
   */
  read(text: string, path: string): string | null | undefined;
}

/** Fields that make a manifest without a name a package: of `package.json`, and of `composer.json`. */
const PACKAGE_JSON_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'scripts'];
const COMPOSER_FIELDS = ['require', 'autoload'];

/** Kinds by file name. If a folder has several manifests, the first with a name gives the package's name. */
const BY_NAME = new Map<string, PackageKind>([
  ['pyproject.toml', { sampleSource: 'index.py', read: readPyproject }],
  ['setup.cfg', { sampleSource: 'index.py', read: readSetupConfig }],
  ['setup.py', { sampleSource: 'index.py', read: readSetupScript }],
  ['Cargo.toml', { sampleSource: 'index.rs', read: readCargo }],
  ['go.mod', { sampleSource: 'index.go', read: readGoModule }],
  [
    'pom.xml',
    { sampleSource: 'Index.java', read: (text) => readElement(text, ['project/artifactId']) },
  ],
  ['build.gradle', { sampleSource: 'Index.java', read: () => null }],
  ['build.gradle.kts', { sampleSource: 'Index.java', read: () => null }],
  ['composer.json', { sampleSource: 'index.php', read: (text) => readJson(text, COMPOSER_FIELDS) }],
  [
    'package.json',
    { sampleSource: 'index.js', read: (text) => readJson(text, PACKAGE_JSON_FIELDS) },
  ],
  ['Gemfile', { sampleSource: 'index.rb', read: () => null }],
]);
/** Kinds by extension; without a name in the manifest, the file's name is the package's name. */
const BY_EXTENSION = new Map<string, PackageKind>([
  ['.csproj', { sampleSource: 'Index.cs', read: readProject }],
  ['.gemspec', { sampleSource: 'index.rb', read: readGemspec }],
]);

const ORDER = [...BY_NAME.values(), ...BY_EXTENSION.values()];

/** Returns the kind of a manifest by its file name; null for other files. */
export function getPackageKind(path: string): PackageKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return BY_NAME.get(name) ?? BY_EXTENSION.get(extname(name)) ?? null;
}

/** Returns the priority of a kind among the manifests of a folder; smaller numbers come first. */
export function getKindPriority(kind: PackageKind): number {
  return ORDER.indexOf(kind);
}

function readJson(text: string, others: readonly string[]): string | null | undefined {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null) return undefined;
  if ('name' in json && typeof json.name === 'string') return json.name;
  // Other files only set how the files of their folder are read: {"type": "module"}.
  return others.some((field) => field in json) ? null : undefined;
}

/** Returns the value of the first of these keys that has one. */
function getFirstValue(values: ReadonlyMap<string, string | null>, keys: readonly string[]) {
  return keys.map((key) => values.get(key)).find((value) => typeof value === 'string') ?? null;
}

function readTable(text: string): Map<string, string | null> {
  return new Map(Iterator.from(readSettings(text)).map(({ key, value }) => [key, value]));
}

/** Reads `pyproject.toml`. Many such files only have settings of tools and make no package. */
function readPyproject(text: string): string | null | undefined {
  const values = readTable(text);
  const isPackage = ['project', 'build-system', 'tool.poetry'].some((table) => values.has(table));
  return isPackage ? getFirstValue(values, ['project.name', 'tool.poetry.name']) : undefined;
}

function readSetupConfig(text: string): string | null | undefined {
  const values = readTable(text);
  const isPackage = values.has('metadata') || values.has('options');
  return isPackage ? getFirstValue(values, ['metadata.name']) : undefined;
}

/** Reads `Cargo.toml`. Without `[package]` it describes only a workspace. */
function readCargo(text: string): string | null | undefined {
  const values = readTable(text);
  return values.has('package') ? getFirstValue(values, ['package.name']) : undefined;
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
  return readElement(text, properties) ?? basename(path, '.csproj');
}

/** Returns the text of the first of these elements, without computed values: `${artifact}`, `$(Name)`; null if none. */
function readElement(text: string, paths: readonly string[]): string | null {
  for (const element of readElements(text))
    if (paths.includes(element.path) && !element.text.includes('$')) return element.text;
  return null;
}

function readGemspec(text: string, path: string): string {
  const name = /\.name {0,9}= {0,9}["']([^"'\n]{1,300})["']/.exec(text)?.[1];
  return name ?? basename(path, '.gemspec');
}
