/** Bundles the JavaScript of the command line, and every script that it starts by URL: for the npm package, and for the checkout. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

const SCRIPT_URL = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;

export interface BundleOptions {
  /** Folder of the project. */
  root: string;
  /** Paths of the entry scripts in the project, by name. */
  entries: Record<string, string>;
  /** Path of the bundle's folder, relative to a folder in which files that the code reads have the same paths as in the project. */
  place: string;
  /** Names of packages that are not bundled. */
  external: Iterable<string>;
  /** Texts to use instead of files of the project, by path. */
  replaced?: Record<string, string>;
  /** Names of files of entries; by default `[name].js`. */
  entryFileNames?: string;
}

export interface Bundle {
  chunks: OutputChunk[];
  /** Paths of all files that were read. */
  inputs: string[];
}

/** Bundles the scripts into chunks for one flat folder. */
export async function bundleScripts({
  root,
  entries,
  place,
  external,
  replaced = {},
  entryFileNames = '[name].js',
}: BundleOptions): Promise<Bundle> {
  const packages = new Set(external);
  const bundled = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    resolve: { alias: MODULES_OF_PACKAGES },
    external: (id) => packages.has(getPackageName(id)) || NATIVE_OF_WS.has(id),
    plugins: [
      GLOBAL_PROCESS,
      replaceFiles(root, replaced),
      asInProject(root, relative(place, '.').replaceAll('\\', '/')),
    ],
    transform: { target: 'node22' },
    treeshake: true,
    // Problems are errors; the rest is not worth printing.
    onLog: (level, log, handler) => level === 'warn' && handler('error', log),
  });
  try {
    const { output } = await bundled.generate({
      format: 'esm',
      entryFileNames,
      chunkFileNames: '[name]-[hash].js',
      minify: false,
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    return {
      chunks: output.filter((file) => file.type === 'chunk'),
      inputs: await bundled.watchFiles,
    };
  } finally {
    await bundled.close();
  }
}

/** Writes chunks to a folder of modules. */
export function writeChunks(folder: string, chunks: Iterable<OutputChunk>): void {
  mkdirSync(folder, { recursive: true });
  for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), code);
  writeFileSync(join(folder, 'package.json'), MODULES);
}

/** Text of the package.json of a folder of modules. */
export const MODULES = '{ "type": "module" }\n';

/** Entry points as modules, for a package whose main entry finds its own files in a way that cannot be bundled. */
const MODULES_OF_PACKAGES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

/** Optional native parts of ws. */
const NATIVE_OF_WS = new Set(['bufferutil', 'utf-8-validate']);

/** Returns the package name of an import specifier. */
function getPackageName(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Rewrites paths relative to `import.meta.url`, so that they are valid in the bundle: scripts are bundled too, and other files have the
 * same paths as in the project.
 *
 * @param base path from the bundle's folder to the folder with the project's files.
 */
function asInProject(root: string, base: string): Plugin {
  return {
    name: 'as-in-project',
    transform: {
      filter: { code: /import\.meta\.(url|dirname|filename)/ },
      handler(code, id) {
        if (!id.startsWith(join(root, 'src'))) return null;
        const place = relative(root, id).replaceAll('\\', '/');
        if (/import\.meta\.(dirname|filename)/.test(code))
          throw new Error(`${place}: use import.meta.url, the only path that bundles keep`);
        const scripts = code.replace(SCRIPT_URL, (_, path: string) => {
          const script = resolve(dirname(id), path);
          const name = flattenPath(relative(join(root, 'src'), script));
          const reference = this.emitFile({ type: 'chunk', id: script, name });
          return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
        });
        return scripts.replaceAll(
          'import.meta.url',
          `new URL('${base}/${place}', import.meta.url).href`,
        );
      },
    },
  };
}

/** Returns a flat name that includes the folders, since scripts in different folders may share a name. */
function flattenPath(place: string): string {
  return place.replace(/\.ts$/, '').split(sep).join('-');
}

/**
 * Replaces imports of `node:process` by the global. The import would read all properties of the process for its exports, and thereby
 * open the standard streams and build tables, which takes 5 ms. Add other names here when a package imports them.
 */
const GLOBAL_PROCESS: Plugin = {
  name: 'global-process',
  resolveId: {
    filter: { id: /^node:process$/ },
    handler: (_, __, { kind }) =>
      kind === 'import-statement' ? { id: '\0process', moduleSideEffects: false } : null,
  },
  load: {
    filter: { id: /^\0process$/ },
    handler: () => 'export default globalThis.process;\nexport const { env, versions } = process;',
  },
};

/** Replaces the content of files. */
function replaceFiles(root: string, replaced: Readonly<Record<string, string>>): Plugin {
  const texts = new Map(Object.entries(replaced).map(([path, text]) => [join(root, path), text]));
  return { name: 'replaced', load: (id) => texts.get(id) ?? null };
}
