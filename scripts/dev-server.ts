/**
 * Browser host for development: Vite serves src/renderer with hot reload, and forwards the engine's requests to the real server.
 * Both listen on the loopback interface only. Pages need no token, since they are the project's own sources; the engine does.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createServer, type LogLevel } from 'vite';
import { renderer } from '../electron.vite.config.ts';
import type { ServerOptions } from '../src/server/options.ts';
import { startServer } from '../src/server/server.ts';
import { CONTENT_SECURITY_POLICY } from '../src/shared/app-page.ts';

const PROJECT = join(import.meta.dirname, '..');
const SOURCES = join(PROJECT, 'src/renderer');
const DEFAULT_PORT = 4750;

export interface DevServer {
  /** Address of the page, with the engine's token. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts both servers.
 * @param port of Vite; by default 5173, or the next one that is free
 * @throws LocusError as `startServer`.
 */
export async function startDevServer({
  port = DEFAULT_PORT,
  logLevel,
  ...options
}: Omit<ServerOptions, 'rendererFolder'> & { logLevel?: LogLevel } = {}): Promise<DevServer> {
  const engine = await startServer({ ...options, port: 0, rendererFolder: SOURCES });
  const target = `http://127.0.0.1:${engine.port}`;
  const nonce = randomBytes(16).toString('base64');
  try {
    const pages = await createServer({
      plugins: renderer.plugins,
      worker: renderer.worker,
      root: SOURCES,
      logLevel,
      configFile: false,
      cacheDir: join(PROJECT, 'out/dev'),
      // React's hot reload needs an inline script.
      html: { cspNonce: nonce },
      server: {
        host: '127.0.0.1',
        port,
        cors: false,
        fs: { allow: [join(PROJECT, 'src'), join(PROJECT, 'node_modules')] },
        headers: {
          'Content-Security-Policy': CONTENT_SECURITY_POLICY.replace(
            "script-src 'self'",
            `script-src 'self' 'nonce-${nonce}'`,
          ),
        },
        proxy: {
          // Keep the browser's headers: the server compares Host and Origin.
          '^/[?]token=': { target, changeOrigin: false },
          '^/engine$': { target, changeOrigin: false, ws: true },
        },
      },
    });
    await pages.listen();
    const { address, port: listening } = formatAddress(pages.httpServer?.address());
    return {
      url: `http://${address}:${listening}/${new URL(engine.url).search}`,
      close: async () => {
        await pages.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function formatAddress(address: string | { address: string; port: number } | null | undefined) {
  if (!address || typeof address === 'string') throw new Error('the pages are served nowhere');
  return address;
}
