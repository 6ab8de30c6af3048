/** Implements `app://locus/…`, which serves the built renderer and nothing else. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { CONTENT_TYPES, PAGE_HEADERS } from '../shared/app-page.ts';

export const SCHEME = 'app';
export const ORIGIN = 'app://locus';

/** Argument of `protocol.registerSchemesAsPrivileged`, to register before the app is ready. */
export const PRIVILEGES = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

/** Returns a handler that serves the files in `folder`. No path leads out of it. */
export function createFileHandler(folder: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const path = request.method === 'GET' ? resolvePath(folder, request.url) : null;
    const content = path && (await readFile(path).catch(() => null));
    if (!content)
      return new Response('This page does not exist.', { status: 404, headers: createHeaders('') });
    return new Response(new Uint8Array(content), { headers: createHeaders(path) });
  };
}

function resolvePath(folder: string, address: string): string | null {
  const url = URL.parse(address);
  if (url?.protocol !== `${SCHEME}:` || url.host !== 'locus') return null;
  let name: string;
  try {
    name = decodeURIComponent(url.pathname);
  } catch {
    // The URL has an invalid percent escape.
    return null;
  }
  if (name.includes('\0')) return null;
  const path = normalize(join(folder, name === '/' ? 'index.html' : name));
  return path.startsWith(normalize(folder) + sep) ? path : null;
}

const createHeaders = (path: string): Record<string, string> => ({
  ...PAGE_HEADERS,
  'Content-Type': CONTENT_TYPES[extname(path)] ?? 'text/plain; charset=utf-8',
});
