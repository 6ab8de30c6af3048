/**
 * Counts names that an issue mentions by mistake: `npm run -s lab -- count-names --dataset <jsonl> --repos <folder of clones>
 * [--data-dir <folder>] [--words <number>]`
 *
 * A mention is *plain* if each of its spans is written as an ordinary word. It is *edited* if the fix edits one of its
 * definitions or a member of one. Plain mentions that are not edited are mostly false names; plain mentions that are edited are
 * what stricter rules may lose. Prints both for each repository, all other mentions beside them, and with `--words` the most
 * frequent plain words. What counts as plain depends only on the text, so that counts of different engines can be compared.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { getIssueSyntaxes, readIssue, resolveIssue } from '../../src/engine/lab.ts';
import { parseDataset } from '../../src/services/evaluation/dataset.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import type { IssueSpan } from '../../src/shared/evidence.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';
import { type Snapshot, snapshots } from '../ranker/samples.ts';
import { isPlain } from './plain.ts';

interface Counts {
  issues: number;
  /** Issues with a plain mention that is not edited. */
  misled: number;
  falsePlain: number;
  editedPlain: number;
  falseOther: number;
  editedOther: number;
}

const { values } = parseArgs({
  options: {
    dataset: { type: 'string' },
    repos: { type: 'string' },
    'data-dir': { type: 'string' },
    words: { type: 'string' },
  },
});
const { dataset, repos, 'data-dir': dataDir } = values;
if (!dataset || !repos) {
  console.error(
    'usage: npm run -s lab -- count-names --dataset <jsonl> --repos <folder of clones> [--data-dir <folder>] [--words <number>]',
  );
  process.exit(2);
}
const none = (): Counts => {
  return { issues: 0, misled: 0, falsePlain: 0, editedPlain: 0, falseOther: 0, editedOther: 0 };
};
const all = none();
const byRepository = new Map<string, Counts>();
const words = new Map<string, { false: number; edited: number }>();
const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset);
for await (const snapshot of snapshots(instances, { repos, dataDir })) {
  const counts = getOrAdd(byRepository, snapshot.instance.repo, none);
  for (const counted of [counts, all]) counted.issues++;
  let isMisled = false;
  for (const { name, isEdited, plain } of listMentions(snapshot)) {
    const key = `${isEdited ? 'edited' : 'false'}${plain ? 'Plain' : 'Other'}` as const;
    for (const counted of [counts, all]) counted[key]++;
    if (!plain) continue;
    getOrAdd(words, name, () => ({ false: 0, edited: 0 }))[isEdited ? 'edited' : 'false']++;
    isMisled ||= !isEdited;
  }
  if (isMisled) for (const counted of [counts, all]) counted.misled++;
}
const head = [
  'repository',
  'issues',
  'plain, false',
  'edited',
  'issues misled',
  'others, unedited',
  'edited',
];
const rows = [...byRepository, ['all', all] as const].map(([repo, counts]) =>
  [
    repo,
    counts.issues,
    counts.falsePlain,
    counts.editedPlain,
    counts.misled,
    counts.falseOther,
    counts.editedOther,
  ].map(String),
);
console.log(formatMarkdownTable(head, rows).join('\n'));
const frequent = [...words].sort((a, b) => b[1].false - a[1].false);
for (const [word, count] of frequent.slice(0, Number(values.words ?? 0)))
  console.log(`${word}: ${count.false} false, ${count.edited} edited`);

function listMentions({ instance, index, edited }: Snapshot) {
  const text = instance.problem_statement;
  const issue = readIssue(text, getIssueSyntaxes(index.getLanguages()));
  const changed = new Set(edited.flatMap((slot) => [slot, index.getChunk(slot).parent]));
  const isPlainSpan = (span: IssueSpan) => isPlain(text, span, issue.blocks);
  return resolveIssue(issue, index).names.map(({ name, spans, slots }) => {
    const isEdited = slots.some((slot) => changed.has(slot));
    return { name, isEdited, plain: spans.every(isPlainSpan) };
  });
}
