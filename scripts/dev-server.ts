/**
 * The browser host with pages that follow their sources: Vite serves src/renderer, with hot reload, and passes on to
 * the real server what belongs to the engine. Both listen on the loopback interface alone. The pages are Locus's own
 * sources and need no token; the engine does, as ever.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createServer, type LogLevel } from 'vite';
import { renderer } from '../electron.vite.config.ts';
import { type ServerOptions, startServer } from '../src/server/server.ts';
import { CONTENT_SECURITY_POLICY } from '../src/shared/app-page.ts';

const PROJECT = join(import.meta.dirname, '..');
const SOURCES = join(PROJECT, 'src/renderer');
const DEFAULT_PORT = 4750;

export interface DevServer {
  /** With the engine's token. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts both servers. `port` is Vite's; the default or, when that is taken, one after it, if left out.
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
      // React's part of hot reload is a script within the page.
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
          // As the browser sent them, since the server compares Host and Origin.
          '^/[?]token=': { target, changeOrigin: false },
          '^/engine$': { target, changeOrigin: false, ws: true },
        },
      },
    });
    await pages.listen();
    const { address, port: listening } = addressOf(pages.httpServer?.address());
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

function addressOf(address: string | { address: string; port: number } | null | undefined) {
  if (!address || typeof address === 'string') throw new Error('the pages are served nowhere');
  return address;
}
