/**
 * `node scripts/release/desktop.ts`: packages the desktop app of this system with `npm run package`, and moves what is released to
 * dist/desktop, with a line for the release notes that says if it is signed. Signs only if the certificates are in the environment.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Installers, and the files that an update reads. */
const RELEASED = '*.{AppImage,deb,rpm,dmg,exe,zip,blockmap,yml}';
/** A file of electron-builder that is for people who debug a package. */
const NOT_RELEASED = 'builder-*.yml';

/** Variables of electron-builder with certificates and accounts. */
const MAC_CERTIFICATE = ['CSC_LINK', 'CSC_KEY_PASSWORD'];
const APPLE_ACCOUNT = ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'];
const WINDOWS_CERTIFICATE = ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'];

export interface SigningPlan {
  /** Environment of electron-builder. */
  env: NodeJS.ProcessEnv;
  /** Sentence for the release notes. */
  note: string;
}

/**
 * Returns how a system's packages are signed with the secrets in an environment. Secrets that are not set are empty there;
 * electron-builder would read an empty one as the path of a certificate.
 */
export function planSigning(platform: string, environment: NodeJS.ProcessEnv): SigningPlan {
  const secrets = [...MAC_CERTIFICATE, ...APPLE_ACCOUNT, ...WINDOWS_CERTIFICATE];
  const has = (names: readonly string[]) => names.every((name) => environment[name]);
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' || !secrets.includes(name)),
  );
  if (platform === 'darwin') {
    if (!has(MAC_CERTIFICATE))
      return {
        // Without it, electron-builder would use any certificate in the keychain of whoever packages.
        env: { ...env, CSC_IDENTITY_AUTO_DISCOVERY: 'false' },
        note: 'macOS: not signed and not notarized. Allow it once in System Settings, under Privacy & Security.',
      };
    return has(APPLE_ACCOUNT)
      ? { env, note: 'macOS: signed and notarized.' }
      : { env, note: 'macOS: signed, but not notarized. Open it once with Control-click, Open.' };
  }
  if (platform === 'win32')
    return has(WINDOWS_CERTIFICATE)
      ? { env, note: 'Windows: signed.' }
      : { env, note: 'Windows: not signed. SmartScreen warns before the first start.' };
  return { env, note: 'Linux: the packages have no signature of their own.' };
}

/**
 * Moves the installers in a folder to its folder `desktop`, which is emptied first, with a file for the note.
 * @returns their names
 * @throws Error if npm run package wrote no installer
 */
export function collectInstallers(dist: string, note: string): string[] {
  const to = join(dist, 'desktop');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const names = globSync(RELEASED, { cwd: dist, exclude: [NOT_RELEASED] }).sort();
  if (names.length === 0) throw new Error(`npm run package wrote no installer to ${dist}.`);
  for (const name of names) renameSync(join(dist, name), join(to, name));
  writeFileSync(join(to, `signing-${process.platform}.txt`), `${note}\n`);
  return names;
}

if (import.meta.filename === process.argv[1]) {
  const dist = join(ROOT, 'dist');
  // Removes installers of an earlier version.
  for (const name of globSync(RELEASED, { cwd: dist })) rmSync(join(dist, name));
  const { env, note } = planSigning(process.platform, process.env);
  execFileSync('npm', ['run', 'package'], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  console.log([...collectInstallers(dist, note), note].join('\n'));
}
