import { basename } from 'node:path';
import { Command } from 'commander';
import {
  ANCHOR_STATES,
  type AnchoredEntry,
  type AnchorState,
  anchorList,
  type CodeChange,
  findCodeChange,
  type ImportReport,
  MAX_LIST_BYTES,
  parseList,
} from '../../services/exchange/import.ts';
import { describeCheck, describeVerdict } from '../../services/exchange/list-check.ts';
import { formatUnifiedDiff } from '../../shared/code-diff.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { MARK_TITLES } from '../../shared/marks.ts';
import { escapeHidden, quoteLines, quoteName, quoteText } from '../../shared/quote.ts';
import { EXIT } from '../exit-codes.ts';
import {
  type RepositoryCliOptions,
  readTextFile,
  withRepositoryOptions,
  withUpdatedRepository,
} from '../options.ts';
import type { RunAction } from '../session.ts';
import { type Colors, padEnd, padStart } from '../terminal.ts';

const EXAMPLES = `
Locus looks for each entry by path, qualified name and content. It is
  same                 at the same address, with the same code; its line may differ
  moved                the same code, in another file or under another name
  changed              at the same address, with different code
  moved and changed    in another file, with different code; its name is unique
  gone                 not found

Examples:
  locus import . list.json                 check a colleague's list against this checkout
  locus import . list.json --at main
  locus import . list.json --diff          show how the code changed, if the list has it (export --code)
  locus import . list.json --json | jq '.entries[] | select(.state == "gone").entry.path'`;

interface ImportOptions extends RepositoryCliOptions {
  diff?: boolean;
}

export function importCommand(run: RunAction): Command {
  return withRepositoryOptions(new Command('import'))
    .argument('<dir>', 'folder, git working tree or bare repository')
    .argument('<list>', 'file written by locus export --format json, or - for standard input')
    .option('--diff', 'print how the code of changed entries differs, if the list has their code')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, file: string, options: ImportOptions) =>
      run(async (session) => {
        const list = parseList(
          await readTextFile(session.host, file, {
            what: 'an exported list',
            maxBytes: MAX_LIST_BYTES,
          }),
          file === '-' ? 'standard input' : basename(file),
        );
        return withUpdatedRepository(session, dir, options, async (repository) => {
          const report = await anchorList(list, repository);
          const { entries, counts } = report;
          const changes: CodeChange[] = [];
          if (options.diff)
            for (const entry of entries) changes.push(await findCodeChange(repository, entry));
          session.printResult(options.diff ? withDiffs(report, changes) : report, () =>
            render(report, changes, session.colors),
          );
          const allGone = entries.length > 0 && counts.gone === entries.length;
          return allGone ? EXIT.nothingFound : EXIT.ok;
        });
      }),
    );
}

function render(
  { list, counts, entries }: ImportReport,
  changes: readonly CodeChange[],
  colors: Colors,
): string[] {
  const { name, commit } = list.repository;
  const from = `${quoteName(name)}${commit ? ` at ${commit.slice(0, 12)}` : ''}`;
  const states = ANCHOR_STATES.filter((state) => counts[state] > 0);
  const state = Math.max(...states.map((state) => state.length), 0);
  const summary = states.map((state) => `${counts[state]} ${state}`).join(' · ');
  return [
    `${colors.bold(quoteText(list.issue.title))} ${colors.dim(`· ${formatCounted(entries.length, 'result')} of ${from}`)}`,
    ...(list.check ? [colors.dim(describeCheck(list.check))] : []),
    ...entries.flatMap((entry, i) => [
      ...renderEntry(entry, state, colors),
      ...renderChange(entry, changes[i] ?? null, colors),
    ]),
    ...(summary === '' ? [] : [colors.dim(summary)]),
  ];
}

function renderEntry(
  { entry, state, now, detail }: AnchoredEntry,
  width: number,
  colors: Colors,
): string[] {
  const paint: Record<AnchorState, (text: string) => string> = {
    same: colors.green,
    moved: colors.cyan,
    changed: colors.yellow,
    'moved and changed': colors.yellow,
    gone: colors.red,
  };
  const was = `${quoteName(entry.path)}:${entry.startLine}`;
  const location = now ? `${quoteName(now.path)}:${now.startLine}` : was;
  const name = quoteName(now?.qualifiedName ?? entry.qualifiedName);
  const before =
    now && (now.path !== entry.path || now.qualifiedName !== entry.qualifiedName)
      ? ` was ${quoteName(entry.qualifiedName)} ${was}`
      : '';
  const margin = ' '.repeat(6 + width);
  return [
    ` ${colors.dim(padStart(String(entry.rank ?? '–'), 2))} ${paint[state](padEnd(state, width))}  ${colors.bold(name)}  ${location}${colors.dim(before)}`,
    ...(detail ? [colors.dim(`${margin}${escapeHidden(detail)}`)] : []),
    ...(entry.check
      ? [`${margin}Check: ${describeVerdict(entry.check, entry.rank, quoteText)}`]
      : []),
    ...(entry.mark || entry.note
      ? [
          `${margin}${[entry.mark && MARK_TITLES[entry.mark], entry.note && quoteText(entry.note)].filter(Boolean).join(': ')}`,
        ]
      : []),
  ];
}

const NO_CODE = 'No code to compare with: the list was exported without --code.';

/** Renders a change as a unified diff with the header of git. */
function renderChange(entry: AnchoredEntry, change: CodeChange, colors: Colors): string[] {
  if (change === null) return [];
  if (change === 'without code') return [colors.dim(`      ${NO_CODE}`)];
  const paint: Record<string, (text: string) => string> = {
    '@': colors.cyan,
    '-': colors.red,
    '+': colors.green,
  };
  return formatDiff(entry, change).flatMap((line) =>
    quoteLines(line).map(paint[line.charAt(0)] ?? String),
  );
}

const formatDiff = ({ entry, now }: AnchoredEntry, hunks: Exclude<CodeChange, string | null>) =>
  formatUnifiedDiff({ was: entry.path, now: now?.path ?? entry.path }, hunks);

/** Adds its unified diff to each entry; null if nothing changed or there is no code to compare with. */
function withDiffs(report: ImportReport, changes: readonly CodeChange[]): object {
  const entries = report.entries.map((entry, i) => {
    const change = changes[i] ?? null;
    const diff = Array.isArray(change) ? `${formatDiff(entry, change).join('\n')}\n` : null;
    return { ...entry, diff };
  });
  return { ...report, entries };
}
