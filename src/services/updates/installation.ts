/** Finds out how this copy of Locus was installed, and so how to update it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { UpdateAnswer } from '../../shared/updates.ts';
import { PACKAGE, REPOSITORY } from '../../shared/version.ts';

const LATEST = `${PACKAGE}@latest`;

/** Parts of the path of Locus's code, each with the command that updates what was installed there. The first match counts. */
const MANAGERS: readonly (readonly [path: RegExp, command: string])[] = [
  [/\/Cellar\//, `brew upgrade ${PACKAGE}`],
  [/\/scoop\/apps\//i, `scoop update ${PACKAGE}`],
  [/\/_npx\//, `npx ${LATEST}`],
  [/\/pnpm\/global\//, `pnpm add -g ${LATEST}`],
  [/\/\.bun\//, `bun add -g ${LATEST}`],
];

/**
 * Returns the command that updates this copy, or the page with the releases of the desktop app.
 * @param file path of a file of Locus's code
 * @param exists returns true if a file exists
 */
export function findUpdateCommand(
  file: string = fileURLToPath(import.meta.url),
  exists: (path: string) => boolean = existsSync,
): Pick<UpdateAnswer, 'command' | 'page'> {
  const path = file.replaceAll('\\', '/');
  if (/\/app\.asar(\.unpacked)?\//.test(path))
    return { command: null, page: `${REPOSITORY}/releases` };
  const [, command = null] = MANAGERS.find(([pattern]) => pattern.test(path)) ?? [];
  return { command: command ?? getNpmCommand(path, exists), page: null };
}

function getNpmCommand(path: string, exists: (path: string) => boolean): string {
  const end = path.indexOf('/node_modules/');
  if (end < 0) return 'git pull && npm ci';
  // Global packages have no manifest beside their node_modules.
  const isOfProject = exists(`${path.slice(0, end)}/package.json`);
  return isOfProject ? `npm install ${LATEST}` : `npm install -g ${LATEST}`;
}
