/** Chooses between the desktop app and the browser for `npm start`, and offers to download Electron if it is missing. */
import { waitUnlessCancelled } from '../../src/base/cancel.ts';
import type { Environment } from '../../src/base/environment.ts';
import { usesMusl } from '../../src/base/musl.ts';
import { findElectron, findElectronFolder, hasScreen } from '../../src/cli/electron.ts';
import { ask } from '../../src/cli/question.ts';
import type { CliHost } from '../../src/cli/session.ts';
import { formatBytes, getColors, ProgressLine } from '../../src/cli/terminal.ts';
import { formatFailure, isCancelled, toFailure } from '../../src/shared/errors.ts';
import { installElectron } from './install-electron.ts';
import { readOffer, storeOffer } from './stored-offer.ts';

/** Option of `npm start` that downloads Electron without a question, even after a refusal. */
export const DESKTOP = '--desktop';
/** Option of `npm start` that uses the browser, even if Electron is installed. */
export const BROWSER = '--browser';

/** Approximate size of Electron's archive, for the question. */
const SIZE = 'about 120 MB';

export interface StartHost extends Pick<CliHost, 'stdin' | 'stderr' | 'signal'> {
  env: Environment;
  /** Arguments of `npm start`. */
  args: readonly string[];
  /** Folder of the npm package `electron`; null if it is missing. */
  electronFolder?: string | null;
  /** Milliseconds before the first retry of a download. */
  backoffMs?: number;
}

/**
 * Returns the path of Electron's program; null to use the browser, after saying why.
 * @throws LocusError `cancelled`
 */
export async function chooseWindow(host: StartHost): Promise<string | null> {
  const { env, args, electronFolder = findElectronFolder() } = host;
  if (args.includes(BROWSER)) return null;
  if (!hasScreen(env)) return announceBrowser(host, 'There is no screen for the desktop app.');
  const installed = findElectron(env, electronFolder);
  if (installed !== null) return installed;
  if (electronFolder === null)
    return announceBrowser(host, 'The package electron is missing. Run npm ci.');
  if (usesMusl()) return announceBrowser(host, 'Electron has no program for Linux with musl.');
  const obstacle = args.includes(DESKTOP) ? null : findObstacle(host);
  if (obstacle !== null) return announceBrowser(host, obstacle);
  const reason = await offer(host, electronFolder);
  return reason === null ? findElectron(env, electronFolder) : announceBrowser(host, reason);
}

/** Returns why nobody is asked to download Electron; null if somebody can be asked. */
function findObstacle({ env, stdin, stderr }: StartHost): string | null {
  if (!readOffer(env))
    return `Electron is not installed, and you chose the browser. npm start -- ${DESKTOP} downloads Electron.`;
  return stdin.isTTY && stderr.isTTY
    ? null
    : `Electron is not installed. npm start -- ${DESKTOP} downloads it (${SIZE}).`;
}

/** Installs Electron if the user agrees. Returns null, or why it is not installed. */
async function offer(host: StartHost, folder: string): Promise<string | null> {
  const { env, stderr, signal, backoffMs } = host;
  const wanted = host.args.includes(DESKTOP);
  let refusal = '';
  const confirm = async (from: string, version: string) => {
    refusal = wanted ? '' : await askToDownload(host, from, version);
    if (refusal === '') stderr.write(`locus: Downloading Electron ${version} from ${from}.\n`);
    return refusal === '';
  };
  using line = new ProgressLine(stderr, getColors(stderr, env));
  const onProgress = (bytes: number, total: number | null) =>
    line.showText(
      `${formatBytes(bytes)}${total === null ? '' : ` of ${formatBytes(total)}`} downloaded`,
    );
  try {
    if (wanted) await storeOffer(env, true);
    const options = { folder, env, signal, confirm, onProgress, backoffMs };
    return (await installElectron(options)) ? null : refusal;
  } catch (error) {
    if (isCancelled(error)) throw error;
    return `Electron was not installed. ${formatFailure(toFailure(error))}`;
  }
}

/** Returns '' if the user agrees, or else what was decided. Only a clear no is stored. */
async function askToDownload(host: StartHost, from: string, version: string): Promise<string> {
  const question = `The desktop app needs Electron ${version}. Download it from ${from} (${SIZE})?\n[y] yes, [n] no, use the browser from now on, [Enter] not now: `;
  const answer = await waitUnlessCancelled(ask(host, question), host.signal, 'npm start');
  if (answer === 'y' || answer === 'yes') return '';
  if (answer !== 'n' && answer !== 'no')
    return 'Electron is not installed. The next npm start asks again.';
  await storeOffer(host.env, false);
  return `Electron is not installed. To change your mind, use npm start -- ${DESKTOP}.`;
}

function announceBrowser({ stderr }: StartHost, reason: string): null {
  stderr.write(`locus: ${reason}\nlocus: The app opens in the browser.\n`);
  return null;
}
