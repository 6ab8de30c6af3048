/** Looks into artifacts for the license of Locus and the notices of what else they contain. */
import { execFileSync } from 'node:child_process';
import { basename, extname, join } from 'node:path';
import AdmZip from 'adm-zip';
import { NOTICES } from '../notices.ts';
import { listArtifacts } from './manifests.ts';
import { NAMES } from './names.ts';

const ZIPS = ['.mcpb', '.vsix', '.zip'];
/** The main npm package has a program and a manual page, and nothing of others. */
const OWN_WORK = new RegExp(`^${NAMES.npm}-\\d.*\\.tgz$`);

/** Returns what is missing in the archives below a folder, such as `a.tgz: no LICENSE`. */
export function findMissingLicenses(folder: string): string[] {
  return listArtifacts(folder).flatMap((path) => {
    const names = listEntries(join(folder, path))?.map((name) => basename(name));
    if (names === undefined) return [];
    const hasLicense = names.some((name) => /^LICENSE(?:\.txt)?$/.test(name));
    const hasNotices = names.includes(NOTICES) || OWN_WORK.test(basename(path));
    return [
      ...(hasLicense ? [] : [`${path}: no LICENSE`]),
      ...(hasNotices ? [] : [`${path}: no ${NOTICES}`]),
    ];
  });
}

/** Returns the paths in an archive; undefined for other files. */
function listEntries(path: string): string[] | undefined {
  if (ZIPS.includes(extname(path)))
    return new AdmZip(path).getEntries().map(({ entryName }) => entryName);
  if (extname(path) !== '.tgz') return undefined;
  return execFileSync('tar', ['tzf', path], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
}
