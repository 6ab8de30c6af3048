/**
 * `node scripts/release/publish-extension.ts <folder>`: publishes the extension in a folder to the marketplaces whose access token is in
 * the environment: `VSCE_PAT` and `OVSX_PAT`. A version that exists is skipped.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishVSIX } from '@vscode/vsce';

const TIMEOUT_MS = 120_000;
const OPEN_VSX = 'https://open-vsx.org';

interface Marketplace {
  name: string;
  /** Variable with the access token. */
  variable: string;
  publish(extension: string, token: string): Promise<void>;
}

const MARKETPLACES: readonly Marketplace[] = [
  {
    name: 'Visual Studio Marketplace',
    variable: 'VSCE_PAT',
    publish: (extension, pat) => publishVSIX(extension, { pat, skipDuplicate: true }),
  },
  { name: 'Open VSX', variable: 'OVSX_PAT', publish: publishToOpenVsx },
];

/**
 * Publishes the extension in a folder.
 * @returns a line for each marketplace
 * @throws Error if there is not exactly one extension, or if a marketplace rejects it
 */
export async function publishExtension(
  folder: string,
  environment: NodeJS.ProcessEnv,
  marketplaces = MARKETPLACES,
): Promise<string[]> {
  const [extension, ...more] = globSync('*.vsix', { cwd: folder });
  if (extension === undefined || more.length > 0)
    throw new Error(`${folder} needs one .vsix file. npm run release writes it.`);
  const lines: string[] = [];
  for (const { name, variable, publish } of marketplaces) {
    const token = environment[variable];
    if (token) await publish(join(folder, extension), token);
    lines.push(`${name}: ${token ? 'published' : `skipped, as the secret ${variable} is not set`}`);
  }
  return lines;
}

/** Publishes as the command `ovsx publish` does. @param server another one for tests */
export async function publishToOpenVsx(
  extension: string,
  token: string,
  server = OPEN_VSX,
): Promise<void> {
  const url = new URL('/api/-/publish', server);
  url.searchParams.set('token', token);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(readFileSync(extension)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const unreadable = { error: 'an unreadable answer' };
  const { error } = (await response.json().catch(() => unreadable)) as { error?: string };
  if (response.ok && error === undefined) return;
  if (error?.includes('is already published')) return;
  throw new Error(
    `Open VSX answered ${response.status}: ${error}. Correct it, and run the job again.`,
  );
}

if (import.meta.filename === process.argv[1]) {
  try {
    console.log((await publishExtension(process.argv[2] ?? '', process.env)).join('\n'));
  } catch (error) {
    console.error(`release: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
