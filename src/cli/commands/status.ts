import { Command } from 'commander';
import { formatCount, formatCounted } from '../../shared/format-count.ts';
import type { RepositoryStatus, SkippedFile } from '../../shared/indexing.ts';
import { escapeHidden, quoteName } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import { EXIT } from '../exit-codes.ts';
import { type RepositoryCliOptions, toOpenOptions, withRepositoryOptions } from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { type Colors, countColumns, formatBytes, padEnd, padStart } from '../terminal.ts';
import {
  getExitCode,
  outcomeToJson,
  resolveWorkspace,
  runOnEach,
  type WorkspaceOptions,
  withWorkspaceOptions,
} from '../workspace.ts';

const EXAMPLES = `
This shows the stored index. Nothing is indexed.

Examples:
  locus status .
  locus status ~/src --workspace    every repository in a folder
  locus status . --skipped      files that are not in the index, and why
  locus status . --json | jq .state`;

type Options = RepositoryCliOptions & WorkspaceOptions & { skipped?: boolean };

export function statusCommand(run: RunAction): Command {
  return withWorkspaceOptions(withRepositoryOptions(new Command('status')))
    .argument('[dir...]', 'folders, git working trees or bare repositories')
    .option('--skipped', 'list the skipped files, with the reason')
    .addHelpText('after', EXAMPLES)
    .action((dirs: string[], options: Options) =>
      run(async (session) => {
        const folders = [...dirs, ...(options.repo ?? [])];
        const members = await resolveWorkspace(folders, options, session);
        const open = { ...toOpenOptions(options, session.host), readOnly: true };
        if (members) {
          const outcomes = await runOnEach(members, open, session, (one) =>
            readStatus(one, options),
          );
          if (session.json) session.printJson({ repositories: outcomes.map(outcomeToJson) });
          else for (const one of outcomes) if ('result' in one) printStatus(one.result, session);
          return getExitCode(outcomes);
        }
        return session.withRepository(folders[0] ?? '', open, async (repository) => {
          const status = await readStatus(repository, options);
          const daemon = await session.host.describeDaemon?.(open.dataDir);
          if (daemon?.roots.includes(status.root)) status.daemon = { pid: daemon.pid };
          if (session.json) session.printJson(status);
          else printStatus(status, session);
          for (const note of status.notes) session.note(`locus: ${note}`);
          return EXIT.ok;
        });
      }),
    );
}

type StatusOutput = RepositoryStatus & {
  skippedFiles?: SkippedFile[];
  /** The daemon, if it has the repository open. */
  daemon?: { pid: number };
};

async function readStatus(repository: Repository, { skipped }: Options): Promise<StatusOutput> {
  const status = await repository.status();
  return { ...status, ...(skipped && { skippedFiles: await repository.skipped() }) };
}

function printStatus({ skippedFiles, ...status }: StatusOutput, session: Session): void {
  const { colors } = session;
  session.print(...(skippedFiles ? renderSkipped(skippedFiles, colors) : render(status, colors)));
}

function render(status: StatusOutput, colors: Colors): string[] {
  const kinds = Object.entries(status.chunksByKind).map(([kind, n]) => `${formatCount(n)} ${kind}`);
  const skipped = Object.entries(status.skipped).map(
    ([reason, n]) => `${formatCount(n)} ${reason}`,
  );
  const encoded = status.chunks > 0 ? Math.floor((100 * status.embedded) / status.chunks) : 0;
  const rows: [string, string][] = [
    [
      'repository',
      `${quoteName(status.root)}${status.revision ? ` at ${status.revision.slice(0, 12)}` : ''}`,
    ],
    ['state', `${status.state}${status.indexedAt ? `, indexed ${status.indexedAt}` : ''}`],
    [
      'files',
      `${formatCount(status.files)}${status.filesWithErrors ? `, ${formatCount(status.filesWithErrors)} with syntax errors` : ''}`,
    ],
    ...languageRows(status),
    ...packageRows(status),
    ['skipped', skipped.join(', ') || 'none'],
    [
      'functions',
      `${formatCount(status.chunks)}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`,
    ],
    [
      'call edges',
      `${formatCount(status.edges)}, ${formatCount(status.guessedEdges)} of them guessed by name`,
    ],
    [
      'encoded',
      `${formatCount(status.embedded)} (${encoded} %) with ${quoteName(status.model.id)} ${quoteName(status.model.version)}`,
    ],
    ['reranker', status.rerankModels.map(quoteName).join(', ') || 'not installed'],
    ...(status.daemon
      ? [['daemon', `process ${status.daemon.pid} has it open`] satisfies [string, string]]
      : []),
    ['database', `${quoteName(status.databasePath)}, ${formatBytes(status.databaseBytes)}`],
  ];
  return rows.map(([name, value]) => `${colors.dim(padEnd(name, 11))} ${value}`);
}

function languageRows({ languages, unread }: RepositoryStatus): [string, string][] {
  const read = languages.map(({ title, files }) => `${title} ${formatCount(files)}`);
  const others = unread.map(({ kind, files }) => `${kind} ${formatCount(files)}`);
  return [
    ...(read.length > 0 ? [['languages', read.join(', ')] satisfies [string, string]] : []),
    ...(others.length > 0 ? [['unsupported', others.join(', ')] satisfies [string, string]] : []),
  ];
}

/** Maximum number of packages to print. JSON lists all. */
const MAX_PACKAGES = 20;

/** Returns a row for each package with its folder, those with most chunks first. */
function packageRows({ packages }: RepositoryStatus): [string, string][] {
  const shown = packages.toSorted((a, b) => b.chunks - a.chunks).slice(0, MAX_PACKAGES);
  const width = shown.reduce((most, { chunks }) => Math.max(most, formatCount(chunks).length), 0);
  const name = shown.reduce((most, one) => Math.max(most, countColumns(quoteName(one.name))), 0);
  const lines = shown.map((one) => {
    const folder = one.folder === '' ? '.' : one.folder;
    const own = padEnd(quoteName(one.name), name);
    return `${padStart(formatCount(one.chunks), width)}  ${own}  ${quoteName(folder)}`.trimEnd();
  });
  const more = packages.length - shown.length;
  if (more > 0) lines.push(`and ${formatCount(more)} more; --json lists all`);
  return lines.map((line, i) => [i === 0 ? 'packages' : '', line]);
}

function renderSkipped(files: SkippedFile[], colors: Colors): string[] {
  if (files.length === 0) return ['No files in supported languages were skipped.'];
  const reason = files.reduce((most, file) => Math.max(most, file.reason.length), 0);
  return [
    ...files.map(
      (file) =>
        `${colors.yellow(padEnd(file.reason, reason))}  ${quoteName(file.path)}  ${colors.dim(escapeHidden(file.detail))}`,
    ),
    colors.dim(formatCounted(files.length, 'file')),
  ];
}
