/**
 * Writes the bundles that desktop clients of the Model Context Protocol install with one click (`.mcpb`). A bundle names the systems
 * on which it runs, but no processor, so there is one for each system. It contains the npm packages, and needs no registry.
 * https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
 */
import { basename, join } from 'node:path';
import AdmZip from 'adm-zip';
import { getPlatformName, PLATFORMS } from './npm/platforms.ts';
import type { StagedPackages } from './npm/stage.ts';
import { AUTHOR, PRODUCT } from './release/manifests/release.ts';
import { NAMES } from './release/names.ts';
import { OLDEST_NODE } from './release/oldest-node.ts';

const PROGRAM = `node_modules/${NAMES.npm}/bin/locus.js`;
const ICON = 'icon.png';
/** Text that clients replace by a value. */
const nameVariable = (name: string) => `\${${name}}`;
/** Variable for the folder of the unpacked bundle. */
const FOLDER = nameVariable('__dirname');

interface BundledProject {
  version: string;
  description: string;
  license: string;
}

/** Returns the manifest of the bundle for a system, as `process.platform` names it. */
export function createBundleManifest(
  { version, description, license }: BundledProject,
  system: string,
) {
  return {
    manifest_version: '0.3',
    name: NAMES.npm,
    display_name: PRODUCT,
    version,
    description,
    author: { name: AUTHOR, url: NAMES.homepage },
    repository: { type: 'git', url: `${NAMES.repository}.git` },
    homepage: NAMES.homepage,
    support: `${NAMES.repository}/issues`,
    icon: ICON,
    license,
    server: {
      type: 'node',
      entry_point: PROGRAM,
      mcp_config: {
        command: 'node',
        args: [`${FOLDER}/${PROGRAM}`, 'mcp', '--repo', nameVariable('user_config.repository')],
      },
    },
    // The server lists its tools.
    tools_generated: true,
    user_config: {
      repository: {
        type: 'directory',
        title: 'Repository',
        description: 'Folder that agents may search.',
        required: true,
      },
    },
    compatibility: { platforms: [system], runtimes: { node: `>=${OLDEST_NODE}` } },
  };
}

/**
 * Writes a bundle for each system whose packages are all there.
 *
 * @param staged packages as they are before packing.
 * @returns paths of the bundles, by system
 */
export function writeMcpBundles(
  root: string,
  folder: string,
  staged: StagedPackages,
  project: BundledProject,
): Map<string, string> {
  const systems = Map.groupBy(PLATFORMS, ({ platform }) => platform);
  const bundles = new Map<string, string>();
  for (const [system, machines] of systems) {
    const platforms = machines.flatMap((one) => staged.platforms.get(getPlatformName(one)) ?? []);
    if (platforms.length < machines.length) continue;
    const zip = new AdmZip();
    const manifest = createBundleManifest(project, system);
    zip.addFile('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    zip.addLocalFile(join(root, 'resources/icon.png'), '', ICON);
    zip.addLocalFile(join(root, 'LICENSE'));
    for (const path of [staged.main, staged.models, ...platforms])
      zip.addLocalFolder(path, `node_modules/${basename(path)}`);
    const file = join(folder, `${NAMES.npm}-${project.version}-${system}.mcpb`);
    zip.writeZip(file);
    bundles.set(system, file);
  }
  return bundles;
}
