/** Bundles the JavaScript of the npm package: the command line, and every script that it starts by URL. */
import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Entry scripts: the command line, and the engine that `src/main/start.ts` starts. */
const ENTRIES = { locus: 'src/cli/locus.ts', electron: 'src/backend/electron.ts' };

const SCRIPT_URL = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;

/**
 * Bundles the scripts into one flat folder.
 *
 * @param root of the project.
 * @param folder in the package's root; files that the code reads have the same paths there as in the project.
 * @param manifest of the package, used instead of the project's.
 * @param external names of packages that are not bundled.
 */
export async function bundleScripts(
  root: string,
  folder: string,
  manifest: object,
  external: readonly string[],
): Promise<void> {
  const packages = new Set(external);
  const bundled = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    external: (id) => packages.has(getPackageName(id)) || NATIVE_OF_WS.has(id),
    plugins: [asInProject(root), replaceFile(join(root, 'package.json'), JSON.stringify(manifest))],
    transform: { target: 'node22' },
    treeshake: true,
    // Problems are errors; the rest is not worth printing.
    onLog: (level, log, handler) => level === 'warn' && handler('error', log),
  });
  await bundled.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: false,
  });
  await bundled.close();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
}

/** Optional native parts of ws. */
const NATIVE_OF_WS = new Set(['bufferutil', 'utf-8-validate']);

/** Returns the package name of an import specifier. */
function getPackageName(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Rewrites paths relative to `import.meta.url`, so that they are valid in the package: scripts are bundled too, and other files have the
 * same paths as in the project.
 */
function asInProject(root: string): Plugin {
  return {
    name: 'as-in-project',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null;
      const place = relative(root, id).replaceAll('\\', '/');
      const scripts = code.replace(SCRIPT_URL, (_, path: string) => {
        const script = resolve(dirname(id), path);
        const name = flattenPath(relative(join(root, 'src'), script));
        const reference = this.emitFile({ type: 'chunk', id: script, name });
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
      });
      return scripts.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`);
    },
  };
}

/** Returns a flat name that includes the folders, since scripts in different folders may share a name. */
function flattenPath(place: string): string {
  return place.replace(/\.ts$/, '').split(sep).join('-');
}

/** Replaces the content of one file. */
function replaceFile(path: string, content: string): Plugin {
  return { name: 'replaced', load: (id) => (id === path ? content : null) };
}
