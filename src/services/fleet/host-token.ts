/** Finds the credential for cloning from a code host over HTTPS: the token that is set for that host. */
import { isAbsolute } from 'node:path';
import type { Environment } from '../../base/environment.ts';
import { parseRemote } from '../../shared/remote-url.ts';
import { findToken } from '../issue-urls/tokens.ts';
import type { FleetEntry } from './catalog.ts';
import type { Authorization } from './remote-git.ts';

/** User name that goes with a token. Code hosts ignore it, or expect this one. */
const USER = 'oauth2';

/** Returns the Authorization header; null for a folder, for SSH, which has its own keys, and if no token is set. */
export async function findAuthorization(
  { url, forge }: Pick<FleetEntry, 'url' | 'forge'>,
  env: Environment,
): Promise<Authorization> {
  const remote = isAbsolute(url) ? null : parseRemote(url);
  if (!remote || remote.isSsh || !forge) return null;
  const token = await findToken(forge, { origin: `${remote.scheme}://${remote.host}` }, env);
  return token && `Basic ${Buffer.from(`${USER}:${token.value}`).toString('base64')}`;
}
