/** Decides whether the tests of the desktop app run. */
import type { Environment } from '../src/base/environment.ts';
import { hasScreen } from '../src/cli/electron.ts';

/**
 * Returns why the tests of the desktop app are skipped; false if they run. Hosted CI installs Electron and has a screen, so nothing is
 * skipped there.
 * @param program path of Electron's program; null if it is not installed
 * @throws Error in hosted CI instead of a reason
 */
export function findReasonToSkip(program: string | null, env: Environment): string | false {
  const reason =
    program === null
      ? 'Electron is not installed (npx install-electron)'
      : !hasScreen(env) && 'there is no screen (xvfb-run npm test)';
  if (reason !== false && env.GITHUB_ACTIONS)
    throw new Error(`The desktop app must be tested here, but ${reason}.`);
  return reason;
}
