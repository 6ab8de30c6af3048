/** Manifests for winget, in the three files that its repository demands. https://github.com/microsoft/winget-pkgs/tree/master/doc */
import { stringify } from 'yaml';
import { NAMES } from '../names.ts';
import { AUTHOR, getDesktopFile, type ManifestFiles, PRODUCT, type Release } from './release.ts';

const SCHEMA_VERSION = '1.12.0';

/** Returns the three files. @throws MissingArtifactError without the NSIS installer */
export function createWingetManifests(release: Release): ManifestFiles {
  const { version, summary, description, license } = release;
  const { url, sha256 } = getDesktopFile(release, 'win-x64.exe');
  const render = (type: string, fields: object) => {
    const head = { PackageIdentifier: NAMES.winget, PackageVersion: version };
    const tail = { ManifestType: type, ManifestVersion: SCHEMA_VERSION };
    const schema = `https://aka.ms/winget-manifest.${type}.${SCHEMA_VERSION}.schema.json`;
    const text = stringify({ ...head, ...fields, ...tail }, { lineWidth: 0, version: '1.1' });
    return `# yaml-language-server: $schema=${schema}\n\n${text}`;
  };
  return {
    [`${NAMES.winget}.yaml`]: render('version', { DefaultLocale: 'en-US' }),
    [`${NAMES.winget}.installer.yaml`]: render('installer', {
      InstallerType: 'nullsoft',
      Scope: 'user',
      UpgradeBehavior: 'install',
      Protocols: ['locus'],
      Installers: [
        { Architecture: 'x64', InstallerUrl: url, InstallerSha256: sha256.toUpperCase() },
      ],
    }),
    [`${NAMES.winget}.locale.en-US.yaml`]: render('defaultLocale', {
      PackageLocale: 'en-US',
      Publisher: AUTHOR,
      PackageName: PRODUCT,
      PackageUrl: NAMES.homepage,
      License: license,
      LicenseUrl: `${NAMES.repository}/blob/v${version}/LICENSE`,
      ShortDescription: summary,
      Description: description,
      Moniker: NAMES.npm,
      ReleaseNotesUrl: `${NAMES.repository}/releases/tag/v${version}`,
    }),
  };
}
