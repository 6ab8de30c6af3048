/** Checks of an installation. A finding is ok, a warning or a problem, with a remedy. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LocusError } from '../shared/errors.ts';
import { PACKAGE } from '../shared/version.ts';

export interface Check {
  name: string;
  /** `warning`: Locus works, but slower or with something missing. */
  state: 'ok' | 'warning' | 'problem';
  detail: string;
  /** Null if there is nothing to do. */
  remedy: string | null;
}

export type Finding = Omit<Check, 'name'>;

export const REINSTALL_REMEDY = `Reinstall Locus: run npm ci in a checkout, or npm install -g ${PACKAGE}.`;

/** Runs a check. An error becomes a problem, with the error's own remedy or else `remedy`. */
export async function runCheck(
  name: string,
  remedy: string,
  look: () => Promise<Finding> | Finding,
): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return {
      name,
      ...problem((error as Error).message, error instanceof LocusError ? error.remedy : remedy),
    };
  }
}

export const ok = (detail: string): Finding => ({ state: 'ok', detail, remedy: null });
export const warning = (detail: string, remedy: string): Finding => ({
  state: 'warning',
  detail,
  remedy,
});
export const problem = (detail: string, remedy: string): Finding => ({
  state: 'problem',
  detail,
  remedy,
});

/** Returns the version of an installed package from its `package.json`. */
export async function findPackageVersion(name: string): Promise<string> {
  const require = createRequire(import.meta.url);
  let folder = dirname(require.resolve(name));
  // A package's entry may be some folders below its package.json.
  while (!existsSync(join(folder, 'package.json')) || !(await hasName(folder, name))) {
    if (dirname(folder) === folder) return '(unknown version)';
    folder = dirname(folder);
  }
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;
}

async function hasName(folder: string, name: string): Promise<boolean> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).name === name;
}
