/** Writes the npm package to a folder: bundled JavaScript, the files that it reads, and native packages. */

import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { renderManualPage } from '../../src/cli/manual.ts';
import { getLanguages, locateGrammar } from '../../src/engine/lab.ts';
import { bundleScripts, writeChunks } from '../bundle/bundle.ts';
import { checkNoticed, renderNotices } from '../notices.ts';
import { copyParts, type Machine, partsFor } from './parts.ts';
import { OLDEST_NODE, START } from './start.ts';

/** Files that the code reads: of languages, the queries and word lists, and all other files for the chunker's version. */
const DATA = [
  'src/engine/languages/*/*',
  'models/*/*',
  'src/mcp/skill/*/*',
  'demo/issue.md',
  'demo/repository/**',
  'out/{main,preload,renderer}/**',
  'LICENSE',
  'README.md',
];

/** Platform of this machine. */
export function thisMachine(): Machine {
  const { platform, arch } = process;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return { platform, arch, musl: platform === 'linux' && !header.glibcVersionRuntime };
}

/**
 * Writes the package for a platform to an empty folder.
 *
 * @param root of the project, whose pages are already built.
 * @throws Error if the pages are not built, or a package is missing.
 */
export async function stagePackage(
  root: string,
  folder: string,
  machine = thisMachine(),
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const grammars = Array.from(getLanguages(), locateGrammar);
  const versions = copyParts(root, folder, partsFor(machine, grammars));
  const manifest = createManifest(root, machine, versions);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const entries = { locus: 'src/cli/entry.ts', electron: 'src/backend/electron.ts' };
  const external = Object.keys(versions);
  const { chunks } = await bundleScripts({ root, entries, place: 'lib', external, manifest });
  writeChunks(join(folder, 'lib'), chunks);
  for (const pattern of DATA) {
    const paths = globSync(pattern, { cwd: root, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    if (paths.length === 0) throw new Error(`${pattern}: there is no such file; npm run build`);
    for (const { parentPath, name } of paths) {
      const path = join(parentPath, name);
      const to = join(folder, path.slice(root.length));
      mkdirSync(dirname(to), { recursive: true });
      cpSync(path, to);
    }
  }
  checkNoticed(root, folder);
  writeText(join(folder, 'bin/locus.js'), START);
  chmodSync(join(folder, 'bin/locus.js'), 0o755);
  writeText(join(folder, 'man/locus.1'), await renderManualPage());
  writeText(join(folder, 'THIRD-PARTY-NOTICES.txt'), renderNotices(root));
}

function createManifest(
  root: string,
  { platform, arch, musl }: Machine,
  versions: Record<string, string>,
): Record<string, unknown> {
  const { name, version, description, license, main } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    main,
    bin: { locus: 'bin/locus.js' },
    man: ['man/locus.1'],
    engines: { node: `>=${OLDEST_NODE}` },
    os: [platform],
    cpu: [arch],
    ...(platform === 'linux' && { libc: [musl ? 'musl' : 'glibc'] }),
    dependencies: versions,
    bundleDependencies: Object.keys(versions),
  };
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
