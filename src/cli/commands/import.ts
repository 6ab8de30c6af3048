import { basename } from 'node:path';
import { Command } from 'commander';
import {
  ANCHOR_STATES,
  type AnchoredEntry,
  type AnchorState,
  anchorList,
  type ImportReport,
  MAX_LIST_BYTES,
  readList,
} from '../../services/exchange/import.ts';
import { MARK_TITLES } from '../../shared/marks.ts';
import { visible } from '../../shared/visible.ts';
import { EXIT } from '../exit-codes.ts';
import {
  openOptions,
  type RepositoryOptions,
  readTextFile,
  withRepositoryOptions,
} from '../options.ts';
import type { Run } from '../run.ts';
import { type Colors, counted, padEnd, padStart } from '../terminal.ts';

const EXAMPLES = `
Each entry of the list is looked for by path, qualified name and content, and is
  same                 at its place, with the same code (lines above it may have shifted it)
  moved                the same code in another file or under another name
  changed              at its place, with other code
  moved and changed    the only one of its name, in another file
  gone                 none of these

Examples:
  locus import . list.json                 a colleague's list against this checkout
  locus import . list.json --at main
  locus import . list.json --json | jq '.entries[] | select(.state == "gone").entry.path'`;

/** `locus import <dir> <list>`: opens an exported list against a checkout. */
export function importCommand(run: Run): Command {
  return withRepositoryOptions(new Command('import'))
    .description(
      'Open an exported list against another checkout; show what moved, changed or is gone.',
    )
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .argument('<list>', 'a file written by locus export --format json')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, file: string, options: RepositoryOptions) =>
      run(async (session) => {
        const list = readList(
          await readTextFile(file, MAX_LIST_BYTES, 'an exported list'),
          basename(file),
        );
        return session.withRepository(
          dir,
          openOptions(options, session.host),
          async (repository) => {
            await session.refresh(repository);
            const report = await anchorList(list, repository);
            if (session.json) session.printJson(report);
            else session.print(...render(report, session.colors));
            const allGone =
              report.entries.length > 0 && report.counts.gone === report.entries.length;
            return allGone ? EXIT.nothingFound : EXIT.ok;
          },
        );
      }),
    );
}

function render({ list, counts, entries }: ImportReport, colors: Colors): string[] {
  const { name, commit } = list.repository;
  const from = `${visible(name)}${commit ? ` at ${commit.slice(0, 12)}` : ''}`;
  const state = Math.max(
    ...ANCHOR_STATES.filter((state) => counts[state] > 0).map((state) => state.length),
    0,
  );
  return [
    `${colors.bold(visible(list.issue.title))} ${colors.dim(`${counted(entries.length, 'result')} of ${from}`)}`,
    ...entries.flatMap((entry) => renderEntry(entry, state, colors)),
    colors.dim(
      ANCHOR_STATES.filter((state) => counts[state] > 0)
        .map((state) => `${counts[state]} ${state}`)
        .join(' · '),
    ),
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
  const was = `${visible(entry.path)}:${entry.startLine}`;
  const place = now ? `${visible(now.path)}:${now.startLine}` : was;
  const name = visible(now?.qualifiedName ?? entry.qualifiedName);
  const before =
    now && (now.path !== entry.path || now.qualifiedName !== entry.qualifiedName)
      ? ` was ${visible(entry.qualifiedName)} ${was}`
      : '';
  const margin = ' '.repeat(6 + width);
  return [
    ` ${colors.dim(padStart(String(entry.rank), 2))} ${paint[state](padEnd(state, width))}  ${colors.bold(name)}  ${place}${colors.dim(before)}`,
    ...(detail ? [colors.dim(`${margin}${visible(detail)}`)] : []),
    ...(entry.mark || entry.note
      ? [
          `${margin}${[entry.mark && MARK_TITLES[entry.mark], entry.note && visible(entry.note)].filter(Boolean).join(': ')}`,
        ]
      : []),
  ];
}
