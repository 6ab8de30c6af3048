/** `node scripts/release/check-tag.ts <tag>`: checks that a tag, the version and the changelog agree. Stops a release that does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertNoPlaceholders } from './names.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Checks that a tag names the version, and that the newest section of the changelog is that of the version, with its date.
 * @throws Error that names what to change
 */
export function checkTag(tag: string, version: string, changelog: string): void {
  if (tag !== `v${version}`)
    throw new Error(
      `The tag is ${tag}, but package.json has the version ${version}. Tag v${version}, or set the version.`,
    );
  const [heading = ''] = /^## .*$/m.exec(changelog) ?? [];
  const [, named, date = ''] = /^## \[?([^\]\s]+)\]? - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  if (named !== version || Number.isNaN(Date.parse(date)))
    throw new Error(
      `The newest section of CHANGELOG.md is "${heading}". Write "## ${version} - " and the date of the release.`,
    );
}

if (import.meta.filename === process.argv[1]) {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  try {
    assertNoPlaceholders();
    checkTag(process.argv[2] ?? '', JSON.parse(read('package.json')).version, read('CHANGELOG.md'));
  } catch (error) {
    console.error(`release: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
