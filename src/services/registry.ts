import type { Environment } from '../base/environment.ts';
import { badInput } from '../shared/errors.ts';

const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';

/**
 * Returns the address of the registry that npm is set to by its environment variable, or else the public one. It ends with a slash.
 * Files of npm are not read, since they may hold tokens.
 * @throws LocusError `bad-input` for an address that is invalid
 */
export function getRegistry(env: Environment): URL {
  const given = env.npm_config_registry || env.NPM_CONFIG_REGISTRY || DEFAULT_REGISTRY;
  const url = URL.parse(given.replace(/(?<!\/)\/*$/, '/'));
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw badInput(
    'The value of npm_config_registry is not the address of a registry.',
    `Set it to an address such as ${DEFAULT_REGISTRY}, or unset it.`,
  );
}
