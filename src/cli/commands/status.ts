import { Command } from 'commander';
import type { RepositoryStatus, SkippedFile } from '../../shared/indexing.ts';
import { named, visible } from '../../shared/quoted.ts';
import type { Repository } from '../../shared/repository.ts';
import { EXIT } from '../exit-codes.ts';
import { openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import {
  asJson,
  codeOf,
  onEach,
  type SeveralOptions,
  severalOf,
  withSeveral,
} from '../repositories.ts';
import type { Run, Session } from '../session.ts';
import { bytes, type Colors, columnsOf, count, counted, padEnd, padStart } from '../terminal.ts';

const EXAMPLES = `
Nothing is read or indexed: this is what the last run left.

Examples:
  locus status .
  locus status ~/src --each     of each repository in a folder
  locus status . --skipped      files that are not in the index, and why
  locus status . --json | jq .state`;

type Options = RepositoryOptions & SeveralOptions & { skipped?: boolean };

export function statusCommand(run: Run): Command {
  return withSeveral(withRepositoryOptions(new Command('status')))
    .description('Show what the index of a repository holds.')
    .argument('[dir...]', 'folders, git working trees or bare repositories')
    .option('--skipped', 'list the files that were left out, with the reason')
    .addHelpText('after', EXAMPLES)
    .action((dirs: string[], options: Options) =>
      run(async (session) => {
        const folders = [...dirs, ...(options.repo ?? [])];
        const several = await severalOf(folders, options, session);
        const open = { ...openOptions(options, session.host), readOnly: true };
        if (several) {
          const outcomes = await onEach(several, open, session, (one) => ask(one, options));
          if (session.json) session.printJson({ repositories: outcomes.map(asJson) });
          else for (const one of outcomes) if ('result' in one) tell(one.result, session);
          return codeOf(outcomes);
        }
        return session.withRepository(folders[0] ?? '', open, async (repository) => {
          const status = await ask(repository, options);
          if (session.json) session.printJson(status);
          else tell(status, session);
          for (const note of status.notes) session.note(`locus: ${note}`);
          return EXIT.ok;
        });
      }),
    );
}

type Asked = RepositoryStatus & { skippedFiles?: SkippedFile[] };

async function ask(repository: Repository, { skipped }: Options): Promise<Asked> {
  const status = await repository.status();
  return { ...status, ...(skipped && { skippedFiles: await repository.skipped() }) };
}

function tell({ skippedFiles, ...status }: Asked, session: Session): void {
  const { colors } = session;
  session.print(...(skippedFiles ? renderSkipped(skippedFiles, colors) : render(status, colors)));
}

function render(status: RepositoryStatus, colors: Colors): string[] {
  const kinds = Object.entries(status.chunksByKind).map(([kind, n]) => `${count(n)} ${kind}`);
  const skipped = Object.entries(status.skipped).map(([reason, n]) => `${count(n)} ${reason}`);
  const encoded = status.chunks > 0 ? Math.floor((100 * status.embedded) / status.chunks) : 0;
  const rows: [string, string][] = [
    [
      'repository',
      `${named(status.root)}${status.revision ? ` at ${status.revision.slice(0, 12)}` : ''}`,
    ],
    ['state', `${status.state}${status.indexedAt ? `, indexed ${status.indexedAt}` : ''}`],
    [
      'files',
      `${count(status.files)}${status.filesWithErrors ? `, ${count(status.filesWithErrors)} with syntax errors` : ''}`,
    ],
    ...languageRows(status),
    ...packageRows(status),
    ['skipped', skipped.join(', ') || 'none'],
    ['functions', `${count(status.chunks)}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`],
    ['call edges', `${count(status.edges)}, ${count(status.guessedEdges)} of them guessed by name`],
    [
      'encoded',
      `${count(status.embedded)} (${encoded} %) with ${named(status.model.id)} ${named(status.model.version)}`,
    ],
    ['second step', status.readModels.map(named).join(', ') || 'no second encoder installed'],
    ['database', `${named(status.databasePath)}, ${bytes(status.databaseBytes)}`],
  ];
  return rows.map(([name, value]) => `${colors.dim(padEnd(name, 11))} ${value}`);
}

function languageRows({ languages, unread }: RepositoryStatus): [string, string][] {
  const read = languages.map(({ title, files }) => `${title} ${count(files)}`);
  const others = unread.map(({ kind, files }) => `${kind} ${count(files)}`);
  return [
    ...(read.length > 0 ? [['languages', read.join(', ')] satisfies [string, string]] : []),
    ...(others.length > 0 ? [['not read', others.join(', ')] satisfies [string, string]] : []),
  ];
}

/** Packages that are told of; all are in the JSON. */
const MOST_PACKAGES = 20;

/** A line each, those with most chunks first, with the folder where the name does not say it. */
function packageRows({ packages }: RepositoryStatus): [string, string][] {
  const shown = packages.toSorted((a, b) => b.chunks - a.chunks).slice(0, MOST_PACKAGES);
  const width = shown.reduce((most, { chunks }) => Math.max(most, count(chunks).length), 0);
  const name = shown.reduce((most, one) => Math.max(most, columnsOf(named(one.name))), 0);
  const lines = shown.map((one) => {
    const folder = one.folder === '' ? '.' : one.folder;
    const own = padEnd(named(one.name), name);
    return `${padStart(count(one.chunks), width)}  ${own}  ${named(folder)}`.trimEnd();
  });
  const more = packages.length - shown.length;
  if (more > 0) lines.push(`and ${count(more)} more, which --json lists`);
  return lines.map((line, i) => [i === 0 ? 'packages' : '', line]);
}

function renderSkipped(files: SkippedFile[], colors: Colors): string[] {
  if (files.length === 0) return ['No file in a language that Locus reads was skipped.'];
  const reason = files.reduce((most, file) => Math.max(most, file.reason.length), 0);
  return [
    ...files.map(
      (file) =>
        `${colors.yellow(padEnd(file.reason, reason))}  ${named(file.path)}  ${colors.dim(visible(file.detail))}`,
    ),
    colors.dim(counted(files.length, 'file')),
  ];
}
