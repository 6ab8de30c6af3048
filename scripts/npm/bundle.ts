/** The JavaScript of the npm package: the command line, and every script that it starts by URL, with what they import. */
import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Scripts that are started from outside: the command line, and Electron's engine by `src/main/start.ts`. */
const ENTRIES = { locus: 'src/cli/locus.ts', electron: 'src/backend/electron.ts' };

const SCRIPT_URL = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;

/**
 * Bundles into one flat folder.
 *
 * @param root the project.
 * @param folder in the package's root, which has the files that are read at the places they have in the project.
 * @param manifest the package's, in place of the project's.
 * @param external packages that stay packages, by name.
 */
export async function bundle(
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
    external: (id) => packages.has(packageOf(id)) || NATIVE_OF_WS.has(id),
    plugins: [asInProject(root), replaced(join(root, 'package.json'), JSON.stringify(manifest))],
    transform: { target: 'node22' },
    treeshake: true,
    // What is wrong is an error, and of the rest there is nothing to say.
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

/** Faster parts of ws, which it does without where they are not installed. */
const NATIVE_OF_WS = new Set(['bufferutil', 'utf-8-validate']);

/** The package that an import is of. */
function packageOf(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}

/**
 * What a module finds by `import.meta.url` means the same in the package: a script is bundled too, and anything else lies
 * where it does in the project.
 */
function asInProject(root: string): Plugin {
  return {
    name: 'as-in-project',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null;
      const place = relative(root, id).replaceAll('\\', '/');
      const scripts = code.replace(SCRIPT_URL, (_, path: string) => {
        const script = resolve(dirname(id), path);
        const name = nameOf(relative(join(root, 'src'), script));
        const reference = this.emitFile({ type: 'chunk', id: script, name });
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
      });
      return scripts.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`);
    },
  };
}

/** By its folders too: of scripts of the same name, all that refer to one would get one of them. */
function nameOf(place: string): string {
  return place.replace(/\.ts$/, '').split(sep).join('-');
}

/** One file with another content. */
function replaced(path: string, content: string): Plugin {
  return { name: 'replaced', load: (id) => (id === path ? content : null) };
}
