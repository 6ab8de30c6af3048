/** Writes the npm packages to folders: bundled JavaScript, the files that it reads, native packages, and models. */

import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderManualPage } from '../../src/cli/manual.ts';
import { getLanguages, listInstalledGrammars } from '../../src/engine/lab.ts';
import { bundleScripts, writeChunks } from '../bundle/bundle.ts';
import { collectModelNotices } from '../model-notices.ts';
import { checkNoticed, collectNotices, NOTICES, renderNotices } from '../notices.ts';
import { getPlatformPackage, NAMES } from '../release/names.ts';
import { checkBinaries } from './binaries.ts';
import {
  createMainManifest,
  createModelsManifest,
  createPlatformManifest,
  ENGINES,
  type ProjectManifest,
} from './manifests.ts';
import { copyParts, partsFor } from './parts.ts';
import { getPlatformName, type Machine, thisMachine } from './platforms.ts';
import { START } from './start.ts';

/** Files that the code reads: of languages, the queries and word lists, and all other files for the chunker's version. */
const DATA = [
  'src/engine/languages/*/*',
  'src/engine/languages/tagged/*/*',
  'models/related-words-1/*',
  'src/mcp/skill/*/*',
  'demo/issue.md',
  'demo/repository/**',
  'out/{main,preload,renderer}/**',
  'LICENSE',
];

/** Encoders and rerankers: models with a manifest. */
const MODEL_MANIFESTS = 'models/*/model.json';

/** Module of the platform's package that finds the package of the models. Without it, the folder is missing, which is reported. */
const MODELS_FOLDER_MODULE = `
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MODELS_FOLDER = findModels() ?? fileURLToPath(new URL('../../models', import.meta.url));

function findModels() {
  try {
    return dirname(createRequire(import.meta.url).resolve('${NAMES.npmModels}/package.json'));
  } catch {
    return null;
  }
}
`;

export interface StagedPackages {
  /** Folders of the packages; a platform's by the name of the platform. */
  main: string;
  models: string;
  platforms: ReadonlyMap<string, string>;
}

/**
 * Writes the packages as siblings in a folder `node_modules`, so that `bin/locus.js` of the first runs without an installation.
 *
 * @param root of the project, whose pages are already built.
 * @param folder is emptied.
 * @param machines platforms to write a package for.
 * @throws Error if the pages are not built, or a package is missing.
 */
export async function stagePackages(
  root: string,
  folder: string,
  machines: readonly Machine[] = [thisMachine()],
): Promise<StagedPackages> {
  rmSync(folder, { recursive: true, force: true });
  const at = (name: string) => join(folder, 'node_modules', name);
  const project: ProjectManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const main = at(NAMES.npm);
  await stageMain(root, main, project);
  const models = at(NAMES.npmModels);
  const modelsVersion = stageModels(root, models, project);
  const grammars = listInstalledGrammars(getLanguages());
  const { chunks } = await bundleCode(root, machines, grammars, project);
  const platforms = new Map<string, string>();
  for (const machine of machines) {
    const staged = at(getPlatformPackage(getPlatformName(machine)));
    const copied = copyParts(root, staged, partsFor(machine, grammars));
    writeManifest(staged, createPlatformManifest(project, machine, copied, modelsVersion));
    writeChunks(join(staged, 'lib'), chunks);
    for (const pattern of DATA) copyFiles(root, pattern, staged);
    checkBinaries(staged, machine);
    checkNoticed(root, staged, copied);
    writeText(join(staged, NOTICES), renderNotices(collectNotices(root, copied)));
    platforms.set(getPlatformName(machine), staged);
  }
  return { main, models, platforms };
}

async function stageMain(root: string, folder: string, project: ProjectManifest): Promise<void> {
  writeText(join(folder, 'bin/locus.js'), START, 0o755);
  writeText(join(folder, 'man/locus.1'), await renderManualPage());
  for (const name of ['LICENSE', 'README.md']) copyFiles(root, name, folder);
  writeManifest(folder, createMainManifest(project));
}

/** Writes the package of the models. Returns its version, which its content determines. */
function stageModels(root: string, folder: string, project: ProjectManifest): string {
  for (const path of globSync(MODEL_MANIFESTS, { cwd: root }))
    for (const name of globSync('*', { cwd: join(root, dirname(path)) }))
      copyFile(
        join(root, dirname(path), name),
        join(folder, dirname(path).slice('models/'.length), name),
      );
  copyFiles(root, 'LICENSE', folder);
  const notices = collectModelNotices(root);
  writeText(join(folder, NOTICES), renderNotices(notices));
  const licenses = new Set([project.license, ...notices.map(({ license }) => license)]);
  const manifest = createModelsManifest(folder, [...licenses].join(' AND '));
  writeManifest(folder, manifest);
  return manifest.version;
}

/** Bundles the code. It is the same for all platforms. */
function bundleCode(
  root: string,
  machines: readonly Machine[],
  grammars: ReturnType<typeof listInstalledGrammars>,
  { name, version }: ProjectManifest,
) {
  const external = machines.flatMap((machine) => Object.keys(partsFor(machine, grammars)));
  return bundleScripts({
    root,
    entries: { locus: 'src/cli/entry.ts', electron: 'src/backend/electron.ts' },
    place: 'lib',
    external,
    replaced: {
      'package.json': JSON.stringify({ name, version, engines: ENGINES }),
      'src/services/models-folder.ts': MODELS_FOLDER_MODULE,
    },
  });
}

function copyFiles(root: string, pattern: string, folder: string): void {
  const paths = globSync(pattern, { cwd: root, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  if (paths.length === 0) throw new Error(`${pattern}: there is no such file; npm run build`);
  for (const { parentPath, name } of paths) {
    const path = join(parentPath, name);
    copyFile(path, join(folder, path.slice(root.length)));
  }
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function writeManifest(folder: string, manifest: object): void {
  writeText(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function writeText(path: string, text: string, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}
