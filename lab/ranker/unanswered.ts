/** Searches that have no answer, for which the confidence has to be low. */
import { hash } from 'node:crypto';
import type { EvaluationInstance } from '../../src/services/evaluation/dataset.ts';
import { getFamily } from '../split/split.ts';
import { at } from './at.ts';

const KINDS = [
  'bare link',
  'letters at random',
  'issue of another repository',
  'issue about files that are not indexed',
] as const;
export type Unanswered = (typeof KINDS)[number];

/** Letters that replace the hexadecimal digits. */
const LETTERS = 'asdfqweruioptyvk';

/** Issues whose fix edits no code: documents, build settings, services around a repository. */
const OF_OTHER_FILES = [
  'Typo in README\n\nThe second paragraph of README.md says "teh". The badge at the top links to the old build server, too.',
  'CI fails on macOS\n\nThe workflow in .github/workflows/ci.yml installs an image that is gone: `macos-11` was removed. Please move to a newer runner.',
  'Docker image is too large\n\nThe Dockerfile copies the whole build context. A .dockerignore and a multi-stage build would make the image 200 MB smaller.',
  'Add a licence file\n\nThe repository says that it is MIT licensed but there is no LICENSE file, so our legal department cannot approve it.',
  'Changelog is missing the last two releases\n\nCHANGELOG.md ends with last year’s release. Could you add what is new since?',
  'Dependabot alerts\n\nThe lock file pins a vulnerable version of a transitive dependency. Please bump it and release a patch.',
  'Translation into German\n\nI would like to contribute German translations of the documentation. Where should the .po files go?',
  'Broken link on the website\n\nThe link to the getting started page on the home page leads to a 404 since the domain was changed.',
];

/** Returns a search without an answer for an instance, of each kind in turn. */
export function makeUnanswered(
  { repo, instance_id }: EvaluationInstance,
  number: number,
  instances: readonly EvaluationInstance[],
): [Unanswered, string] {
  const kind = at(KINDS, number % KINDS.length);
  return [kind, text()];

  function text(): string {
    const digits = hash('sha256', instance_id);
    const drawn = Number.parseInt(digits.slice(0, 8), 16);
    switch (kind) {
      case 'bare link':
        return `https://github.com/${repo}/issues/${number}`;
      case 'letters at random':
        return makeWords(digits);
      case 'issue of another repository': {
        const others = instances.filter((other) => getFamily(other.repo) !== getFamily(repo));
        return at(others, drawn % others.length).problem_statement;
      }
      case 'issue about files that are not indexed':
        return at(OF_OTHER_FILES, Math.floor(number / KINDS.length) % OF_OTHER_FILES.length);
    }
  }
}

/** Makes one to three words of four letters each. */
function makeWords(digits: string): string {
  const count = 1 + (Number.parseInt(digits.slice(0, 4), 16) % 3);
  return Array.from({ length: count }, (_, w) =>
    [...digits.slice(4 + 4 * w, 8 + 4 * w)]
      .map((digit) => LETTERS[Number.parseInt(digit, 16)])
      .join(''),
  ).join(' ');
}
