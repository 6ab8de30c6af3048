import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { dataDirectory } from '../services/locations.ts';

/** Where things lie, in the project and in a packaged app alike. */
export interface Paths {
  /** Built by `npm run build`. */
  renderer: string;
  preload: string;
  /** Runs as it is: Electron's Node takes the types out. Outside of the archive; bundled in npm's package. See docs/packaging.md. */
  engine: string;
  /** What Chromium and this host remember. */
  userData: string;
  logs: string;
}

export function pathsOf(app: Pick<App, 'getAppPath'>): Paths {
  const root = app.getAppPath();
  const unpacked = root.replace(/\bapp\.asar$/, 'app.asar.unpacked');
  const data = dataDirectory();
  const bundled = join(root, 'lib/electron.js');
  return {
    renderer: join(root, 'out/renderer'),
    preload: join(root, 'out/preload/index.cjs'),
    engine: existsSync(bundled) ? bundled : join(unpacked, 'src/backend/electron.ts'),
    userData: join(data, 'desktop'),
    logs: join(data, 'logs'),
  };
}
