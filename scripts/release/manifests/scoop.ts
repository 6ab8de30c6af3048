/** Manifest for Scoop. It unpacks the portable app. https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests */
import { NAMES } from '../names.ts';
import { getDesktopFile, type ManifestFiles, PRODUCT, type Release } from './release.ts';

/** Returns `<name>.json`. @throws MissingArtifactError without the portable zip for Windows */
export function createScoopManifest(release: Release): ManifestFiles {
  const { version, summary, license } = release;
  const { url, sha256 } = getDesktopFile(release, 'win-x64.zip');
  const manifest = {
    version,
    description: summary,
    homepage: NAMES.homepage,
    license,
    architecture: { '64bit': { url, hash: sha256 } },
    shortcuts: [[`${PRODUCT}.exe`, PRODUCT]],
    checkver: { github: NAMES.repository },
    autoupdate: {
      architecture: { '64bit': { url: url.replaceAll(version, '$version') } },
      // Scoop finds the line with the file's name.
      hash: { url: '$baseurl/SHA256SUMS' },
    },
  };
  return { [`${NAMES.npm}.json`]: `${JSON.stringify(manifest, null, 4)}\n` };
}
