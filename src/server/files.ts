/** Serves the files of the built renderer, with security headers. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  CONTENT_SECURITY_POLICY,
  CONTENT_TYPES,
  PAGE_HEADERS,
  TOKEN_KEY,
} from '../shared/app-page.ts';
import { LocusError } from '../shared/errors.ts';

const SECURITY_HEADERS = {
  ...PAGE_HEADERS,
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};

/** Serves the files of one folder. The names are listed in advance, so that a request cannot reach any other path. */
export class RendererFiles {
  readonly #folder: string;
  readonly #names: Set<string>;
  readonly #cache = new Map<string, { plain: Buffer; gzip: Buffer }>();

  private constructor(folder: string, names: Set<string>) {
    this.#folder = folder;
    this.#names = names;
  }

  /** Lists the files. @throws LocusError `not-found` if the renderer is not built */
  static async load(folder: string): Promise<RendererFiles> {
    try {
      readFileSync(join(folder, 'index.html'));
    } catch (error) {
      throw new LocusError(
        'not-found',
        `The app’s pages are missing in ${folder}.`,
        'Run npm run build.',
        { cause: error },
      );
    }
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'),
      );
    return new RendererFiles(folder, new Set(names));
  }

  async serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const name = path === '/' ? '/index.html' : path;
    if (!this.#names.has(name)) return sendPage(response, 404, 'This page does not exist.');
    const { plain, gzip } = await this.#read(name);
    const compressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      // The names of assets contain a hash of their content.
      'Cache-Control': name.startsWith('/assets/')
        ? 'private, max-age=31536000, immutable'
        : 'no-store',
      Vary: 'Accept-Encoding',
      ...(compressed && { 'Content-Encoding': 'gzip' }),
    });
    response.end(request.method === 'HEAD' ? undefined : compressed ? gzip : plain);
  }

  async #read(name: string): Promise<{ plain: Buffer; gzip: Buffer }> {
    let file = this.#cache.get(name);
    if (!file) {
      const plain = await readFile(join(this.#folder, name));
      file = { plain, gzip: gzipSync(plain, { level: 4 }) };
      this.#cache.set(name, file);
    }
    return file;
  }
}

/** Sends a page with one sentence. An error status closes the connection, so that the rest of the request is not read. */
export function sendPage(
  response: ServerResponse,
  status: number,
  sentence: string,
  { head = '', headers = {} }: { head?: string; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(status >= 400 && { Connection: 'close' }),
    ...headers,
  });
  response.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Locus</title>${head}</head><body><p>${sentence}</p></body></html>`,
  );
}

/** Opens the app by a new navigation, because a reload would send the original `Sec-Fetch-Site` again. */
const SCRIPT = `
const query = new URLSearchParams(location.search);
localStorage.setItem('${TOKEN_KEY}', query.get('token'));
const link = query.get('link');
location.replace((link === null ? '/' : '/?link=' + encodeURIComponent(link)) + location.hash);
`;
const POLICY = CONTENT_SECURITY_POLICY.replace(
  "script-src 'self'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
);

/** Answers a request with the token in its URL: the page stores the token for its origin and opens the app. */
export function sendAppOpener(response: ServerResponse): void {
  sendPage(response, 200, 'Opening Locus …', {
    head: `<link rel="icon" href="data:,"><script>${SCRIPT}</script>`,
    headers: { 'Content-Security-Policy': POLICY },
  });
}
