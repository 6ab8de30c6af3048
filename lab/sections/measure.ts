/**
 * Measures which sections issues point to, and how often their files are edited:
 * `npm run -s lab -- measure-sections --dataset <jsonl> --repos <folder of clones>`
 *
 * Prints, by what points to a section, the number of files that a list shows and how many of them the fix edits. Then the number of issues
 * whose list has a section among its first five results, and those whose fix edits a file that is split at all. Names of code are not
 * known here, so a name in inline code may count that a real index leaves out.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  findLanguage,
  findPointedSections,
  findSectionForm,
  readIssue,
  resolveIssue,
} from '../../src/engine/lab.ts';
import { getCloneName, parseDataset } from '../../src/services/evaluation/dataset.ts';
import { findEditedFiles } from '../../src/services/evaluation/edited-files.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';
import { readSources } from '../bench/support/read-sources.ts';
import { SectionIndex } from './section-index.ts';

const { values } = parseArgs({
  options: { dataset: { type: 'string' }, repos: { type: 'string' } },
});
const { dataset, repos } = values;
if (!dataset || !repos) {
  console.error('usage: npm run -s lab -- measure-sections --dataset <jsonl> --repos <folder>');
  process.exit(2);
}
const FIRST = 5;
const counts = new Map<string, { shown: number; edited: number }>();
let [issues, withFirst, withSection, withEdited, found] = [0, 0, 0, 0, 0];
for (const one of parseDataset(readFileSync(dataset, 'utf8'), dataset)) {
  const clone = join(repos, getCloneName(one.repo));
  const isSplit = (path: string) => findSectionForm(path) !== null && !findLanguage(path);
  const index = SectionIndex.create(await readSources(clone, one.base_commit, isSplit));
  const issue = resolveIssue(readIssue(one.problem_statement), index);
  const pointed = findPointedSections(index, issue, { issue: one.problem_statement });
  const edited = new Set(findEditedFiles(one.patch).paths);
  const sections = pointed?.sections ?? [];
  for (const { slot, mention, name, rank } of sections) {
    const { path } = index.getChunk(slot);
    const subject = `subject: ${findSectionForm(path)?.group}`;
    const file = rank <= FIRST ? 'file in the title' : 'file elsewhere';
    const count = getOrAdd(counts, mention ? file : name ? 'name' : subject, () => {
      return { shown: 0, edited: 0 };
    });
    count.shown++;
    if (edited.has(path)) count.edited++;
  }
  issues++;
  if (sections.some(({ rank }) => rank <= FIRST)) withFirst++;
  if (sections.length > 0) withSection++;
  if ([...edited].some((path) => index.getSlotsByPath(path).length > 0)) withEdited++;
  if (sections.some(({ slot }) => edited.has(index.getChunk(slot).path))) found++;
}
const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
for (const line of formatMarkdownTable(
  ['points to it', 'files shown', 'edited', 'share'],
  rows.map(([what, { shown, edited }]) => {
    return [what, String(shown), String(edited), (edited / shown).toFixed(2)];
  }),
))
  console.log(line);
console.log(
  `\n${issues} issues: ${withSection} lists have sections, ${withFirst} among the first ${FIRST}. ` +
    `${withEdited} fixes edit files with sections, and the list shows one of them for ${found}.`,
);
