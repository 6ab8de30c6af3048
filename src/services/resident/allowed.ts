import { type Environment, readVariable } from '../../base/environment.ts';

/**
 * Returns true if commands may ask and start engines: not if the user forbids it, and not on a build server or below Node's test runner,
 * which a process that stays would outlive.
 */
export function areEnginesAllowed(env: Environment): boolean {
  return !readVariable('LOCUS_NO_DAEMON', env) && !isBuildServer(env) && !env.NODE_TEST_CONTEXT;
}

/** Returns true on a build server. */
export const isBuildServer = ({ CI }: Environment): boolean =>
  CI !== undefined && !['', '0', 'false'].includes(CI);
