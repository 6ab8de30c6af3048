/** Package for the AUR. It installs the npm packages. https://wiki.archlinux.org/title/Node.js_package_guidelines */
import { getPlatformPackage, NAMES } from '../names.ts';
import { OLDEST_NODE } from '../oldest-node.ts';
import {
  AUTHOR,
  getModelsTarball,
  getTarball,
  type ManifestFiles,
  type PublishedArtifact,
  type Release,
} from './release.ts';

const ARCHITECTURES = { x86_64: 'linux-x64', aarch64: 'linux-arm64' };

/** Value of a field of a package: a text, or a list. */
type Field = readonly [name: string, value: string | readonly string[]];

/** Returns `PKGBUILD` and the `.SRCINFO` that makepkg would print. @throws MissingArtifactError if a package was not made */
export function createArchPackage(release: Release): ManifestFiles {
  const fields = listFields(release);
  const assignments = fields.map(([name, value]) =>
    typeof value === 'string' ? `${name}=${quoteShell(value)}` : renderArray(name, value),
  );
  const build = `# Maintainer: ${AUTHOR} <${NAMES.contact}>
pkgname=${NAMES.npm}
${assignments.join('\n')}

package() {
  # Every package is here, so npm asks no registry.
  npm install -g --offline --omit=optional --no-audit --no-fund --cache "$srcdir/npm-cache" --prefix "$pkgdir/usr" "$srcdir"/${NAMES.npm}-*.tgz
  local modules="$pkgdir/usr/lib/node_modules"
  install -Dm644 -t "$pkgdir/usr/share/licenses/$pkgname" "$modules/${NAMES.npm}/LICENSE" "$modules/${NAMES.npm}"-linux-*/THIRD-PARTY-NOTICES.txt
}
`;
  const lines = fields.flatMap(([name, value]) =>
    [value].flat().map((one) => `\t${name} = ${one.replaceAll(/\s+/g, ' ')}`),
  );
  const information = [`pkgbase = ${NAMES.npm}`, ...lines, '', `pkgname = ${NAMES.npm}`, ''];
  return { PKGBUILD: build, '.SRCINFO': information.join('\n') };
}

/** Returns the fields in the order of `.SRCINFO`, which is the same in both files. */
function listFields(release: Release): Field[] {
  const common = [getTarball(release, NAMES.npm), getModelsTarball(release)];
  const own = Object.entries(ARCHITECTURES).map(
    ([name, platform]) => [name, getTarball(release, getPlatformPackage(platform))] as const,
  );
  return [
    ['pkgdesc', release.summary],
    // A hyphen separates the version from the release of the package.
    ['pkgver', release.version.replaceAll('-', '_')],
    ['pkgrel', '1'],
    ['url', NAMES.homepage],
    ['arch', Object.keys(ARCHITECTURES)],
    ['license', [release.license]],
    ['makedepends', ['npm']],
    ['depends', [`nodejs>=${OLDEST_NODE}`]],
    ['noextract', [...common, ...own.map(([, file]) => file)].map(({ name }) => name)],
    ['options', ['!strip']],
    ...listSources('', common),
    ...own.flatMap(([name, file]) => listSources(`_${name}`, [file])),
  ];
}

function listSources(suffix: string, files: readonly PublishedArtifact[]): Field[] {
  return [
    [`source${suffix}`, files.map(({ url }) => url)],
    [`sha256sums${suffix}`, files.map(({ sha256 }) => sha256)],
  ];
}

const renderArray = (name: string, values: readonly string[]) =>
  values.length === 1
    ? `${name}=(${quoteShell(values[0] ?? '')})`
    : `${name}=(\n${values.map((value) => `  ${quoteShell(value)}\n`).join('')})`;

const quoteShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
