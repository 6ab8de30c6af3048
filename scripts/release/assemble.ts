/**
 * `node scripts/release/assemble.ts <parts> <folder>`: brings what the jobs of a release made into one folder, as the page of a release
 * has no folders, with notes and the checksums of all files.
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { NAMES } from './names.ts';

export const NOTES = 'release-notes.md';
const CHECKSUMS = 'SHA256SUMS';
/** Names that the code host leaves as they are. With another, a checksum would be of a file that does not exist. */
const SAFE_NAME = /^[\w.+-]+$/;
/** Files of the jobs that become part of the notes, or are written again from all artifacts, such as the manifests of package managers. */
const MERGED = new RegExp(`(^|/)(${CHECKSUMS}|${NOTES}|signing-[^/]*\\.txt|manifests/.*)$`);

/**
 * Copies all files below a folder into another, and adds notes and checksums.
 * @param folder is emptied
 * @throws Error if two files have the same name, if the code host would change a name, or if notes are missing
 */
export function assemble(parts: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const from = new Map<string, string>();
  for (const path of listFiles(parts, '**').filter((path) => !MERGED.test(path))) {
    const name = basename(path);
    const other = from.get(name);
    if (other !== undefined)
      throw new Error(`${other} and ${path} have the same name. A release needs one for each.`);
    if (!SAFE_NAME.test(name))
      throw new Error(`The release page would rename ${path}. Use letters, digits, and ._+- only.`);
    from.set(name, path);
    copyFileSync(join(parts, path), join(folder, name));
  }
  const [changes, ...more] = listFiles(parts, `**/${NOTES}`);
  if (changes === undefined || more.length > 0)
    throw new Error(`${parts} needs one ${NOTES}. npm run release writes it.`);
  const read = (path: string) => readFileSync(join(parts, path), 'utf8');
  const signing = listFiles(parts, '**/signing-*.txt').map(read);
  writeFileSync(join(folder, NOTES), renderNotes(read(changes), signing));
  writeChecksums(folder, [...from.keys()].sort());
}

/**
 * Returns the text of a release's page.
 * @param changes section of the changelog, whose heading begins with the version
 * @param signing a line for each system
 */
export function renderNotes(changes: string, signing: readonly string[]): string {
  const lines = signing.map((line) => `- ${line.trim()}`);
  const [heading = '', version = ''] = /^## (\S+).*\n+/.exec(changes) ?? [];
  // The page has the version as its title, and does not know the folder of the changelog.
  const body = changes
    .slice(heading.length)
    .trim()
    .replace(/\]\((?![a-z]+:|#)/g, `](${NAMES.repository}/blob/v${version}/`);
  return `${body}

### Signatures

${lines.join('\n') || '- There is no desktop app in this release.'}

### Verify a download

\`\`\`sh
sha256sum --check --ignore-missing ${CHECKSUMS}
gh attestation verify <file> --repo ${new URL(NAMES.repository).pathname.slice(1)}
\`\`\`
`;
}

function writeChecksums(folder: string, names: readonly string[]): void {
  const lines = names.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
}

/** Returns the paths of files below a folder, relative to it, in order. */
function listFiles(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

if (import.meta.filename === process.argv[1]) {
  const [parts = '', folder = ''] = process.argv.slice(2);
  try {
    assemble(parts, folder);
    console.log(readFileSync(join(folder, CHECKSUMS), 'utf8'));
  } catch (error) {
    console.error(`release: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
