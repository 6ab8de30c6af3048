/** Folders in which coding agents keep their configuration. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../base/environment.ts';

export interface Places {
  home: string;
  /** `$XDG_CONFIG_HOME`, by default `~/.config`, on every system. */
  config: string;
  /** Folder of desktop apps: `%APPDATA%`, `~/Library/Application Support`, or `config`. */
  apps: string;
  platform: string;
  env: Environment;
}

/** Returns the folders of a user. A relative folder in a variable is ignored, as the XDG specification says. */
export function findPlaces(env: Environment, platform: string = process.platform): Places {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
  const given = env.XDG_CONFIG_HOME ?? '';
  const config = given.startsWith('/') ? given : join(home, '.config');
  return { home, config, apps: findApps(env, platform, { home, config }), platform, env };
}

function findApps(
  env: Environment,
  platform: string,
  { home, config }: Pick<Places, 'home' | 'config'>,
): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : config;
}
