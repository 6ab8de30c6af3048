import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { readVariable } from '../../base/environment.ts';
import type { CodingAgent, SetupContext } from '../../services/setup/agents.ts';
import type { Journal } from '../../services/setup/journal.ts';
import type { PlannedFile } from '../../services/setup/plan.ts';
import type { PlannedRemoval } from '../../services/setup/remove.ts';
import { badInput, type Failure } from '../../shared/errors.ts';
import { quoteName } from '../../shared/quote.ts';
import { EXIT, EXIT_BY_ERROR, type ExitCode } from '../exit-codes.ts';
import { collectNonEmpty, parseChoice } from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { agreeToWrite, renderFile, withFailures } from '../setup.ts';

const EXAMPLES = `
Without names, every agent that is found is set up. The changes are shown before you are asked.

Examples:
  locus setup                           find agents, show the changes, ask, write
  locus setup claude cursor --yes       these agents, without a question
  locus setup claude --scope project    files in this repository, for everybody who works on it
  locus setup --dry-run                 only show the changes
  locus setup --remove                  undo every change`;

const SCOPES = ['user', 'project'] as const;

interface SetupOptions {
  scope?: (typeof SCOPES)[number];
  repo?: string[];
  hooks?: boolean;
  remove?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  dataDir?: string;
}

export function setupCommand(run: RunAction): Command {
  return new Command('setup')
    .argument('[agent...]', 'agents such as claude or cursor; default: all that are found')
    .option(
      '--scope <scope>',
      'user: your own files (default); project: files in this repository',
      parseChoice(SCOPES),
    )
    .option(
      '--repo <folder>',
      'let the server read only this folder; can be repeated',
      collectNonEmpty,
    )
    .option('--hooks', 'also update the index when a session of Claude Code starts')
    .option('--remove', 'undo the changes of earlier setups')
    .option('--dry-run', 'show the changes, and write nothing')
    .option('--yes', 'write without a question')
    .option('--data-dir <folder>', 'data directory (or set LOCUS_DATA_DIR)')
    .addHelpText('after', EXAMPLES)
    .action((names: string[], options: SetupOptions) =>
      run((session) => setUp(names, options, session)),
    );
}

async function setUp(names: string[], options: SetupOptions, session: Session): Promise<ExitCode> {
  checkCombination(options);
  const { getDataDirectory, prepareDataDirectory } = await import('../../services/locations.ts');
  const { Journal, runAlone } = await import('../../services/setup/journal.ts');
  const agents = names.length === 0 ? null : await selectAgents(names);
  const dataDir = options.dataDir ?? readVariable('LOCUS_DATA_DIR', session.host.env);
  const { dryRun, remove } = options;
  const work = async (data: string): Promise<ExitCode> => {
    const journal = await Journal.read(data);
    return remove
      ? removeEntries(agents, options, journal, session)
      : addEntries(agents, options, journal, session);
  };
  if (dryRun) return work(getDataDirectory(dataDir));
  const data = prepareDataDirectory(dataDir);
  return runAlone(data, () => work(data));
}

function checkCombination({ remove, hooks, repo, scope }: SetupOptions): void {
  if (remove && (hooks || repo))
    throw badInput(
      '--remove is combined with --hooks or --repo.',
      'Omit them: --remove needs neither.',
    );
  if (repo && scope === 'project')
    throw badInput(
      '--repo is combined with --scope project.',
      'Omit --repo: other people have other folders.',
    );
}

/** @throws LocusError `bad-input` for a name that no agent has */
async function selectAgents(names: readonly string[]): Promise<CodingAgent[]> {
  const { AGENTS } = await import('../../services/setup/agents.ts');
  return names.map((name) => {
    const agent = AGENTS.find(({ id }) => id === name.toLowerCase());
    if (agent) return agent;
    const known = AGENTS.map(({ id }) => id).join(', ');
    throw badInput(`No agent is called ${quoteName(name)}.`, `Use one of ${known}.`);
  });
}

async function addEntries(
  named: CodingAgent[] | null,
  options: SetupOptions,
  journal: Journal,
  session: Session,
): Promise<ExitCode> {
  const { planSetup } = await import('../../services/setup/plan.ts');
  const { applySetup } = await import('../../services/setup/apply.ts');
  const context = await findContext(options, session);
  const agents = named ?? (await findUsedAgents(context));
  const files = await planSetup(agents, context, journal);
  return writeFiles(
    files,
    ({ write }) => write !== null,
    options,
    session,
    () => applySetup(files, journal),
  );
}

const SKILL = new URL('../../mcp/skill/locus/SKILL.md', import.meta.url);

async function findContext(
  { scope, repo = [], hooks = false }: SetupOptions,
  session: Session,
): Promise<SetupContext> {
  const { findPlaces } = await import('../../services/setup/places.ts');
  const { findServerCommands } = await import('../../services/setup/server-command.ts');
  const { execPath, argv, platform } = process;
  const { env } = session.host;
  return {
    places: findPlaces(env),
    project: scope === 'project' ? findProject() : null,
    server: findServerCommands({ execPath, argv, env, platform }),
    folders: repo.map((folder) => resolve(folder)),
    skill: await readFile(SKILL, 'utf8'),
    hooks,
  };
}

/** Returns the root of the repository around the working directory, without a link. @throws LocusError `bad-input` */
function findProject(): string {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder)
      throw badInput(
        'This folder is not in a git repository.',
        'Change to a repository, or omit --scope project.',
      );
  }
}

/** @throws LocusError `bad-input` if none is found */
async function findUsedAgents({ places, project }: SetupContext): Promise<CodingAgent[]> {
  const { AGENTS, findAgents } = await import('../../services/setup/agents.ts');
  const found = findAgents(places, project);
  if (found.length > 0) return found;
  const known = AGENTS.map(({ id }) => id).join(', ');
  throw badInput(
    project === null ? 'No agent was found.' : 'No agent has files in this repository.',
    `Name the agents to set up: locus setup <agent>, one or more of ${known}.`,
  );
}

async function removeEntries(
  named: CodingAgent[] | null,
  options: SetupOptions,
  journal: Journal,
  session: Session,
): Promise<ExitCode> {
  const { applyRemoval, planRemoval } = await import('../../services/setup/remove.ts');
  const projects = { user: null, project: options.scope === 'project' ? findProject() : null };
  const agents = named?.map(({ id }) => id) ?? null;
  const project = options.scope && projects[options.scope];
  const files = await planRemoval(journal, { agents, project });
  return writeFiles(
    files,
    ({ action }) => action !== 'failed',
    options,
    session,
    () => applyRemoval(files, journal),
  );
}

/** Shows the files, asks, writes them, and shows those that could not be written. Returns the exit code of the first failure. */
async function writeFiles<T extends PlannedFile | PlannedRemoval>(
  files: readonly T[],
  isChanged: (file: T) => boolean,
  { dryRun = false, yes = false, scope }: SetupOptions,
  session: Session,
  write: () => Promise<Map<string, Failure>>,
): Promise<ExitCode> {
  const { findPlaces } = await import('../../services/setup/places.ts');
  const { home } = findPlaces(session.host.env);
  const changed = files.filter(isChanged);
  if (!session.json) for (const file of files) session.print(...renderFile(file, home, session));
  if (scope === 'project' && changed.length > 0)
    session.note('locus: These files are in the repository, so git shows them as changes.');
  const isWritten = !dryRun && changed.length > 0;
  if (isWritten) await agreeToWrite(changed.length, yes, session);
  const failures = dryRun ? new Map<string, Failure>() : await write();
  const results = withFailures(files, failures);
  if (session.json) session.printJson({ written: isWritten, files: results.map(toJson) });
  else session.print(...summarize(results, changed.length, isWritten, home, session));
  const failure = results.find((file) => file.failure)?.failure;
  return failure ? getExitCode(failure) : EXIT.ok;
}

function toJson(file: PlannedFile | PlannedRemoval): object {
  const { path, agents, action, note, failure } = file;
  return {
    path,
    agents,
    action,
    ...('added' in file && { what: file.what, added: file.added }),
    note,
    failure,
  };
}

function summarize(
  files: readonly (PlannedFile | PlannedRemoval)[],
  changed: number,
  isWritten: boolean,
  home: string,
  session: Session,
): string[] {
  if (changed === 0) return ['Nothing to change.'];
  if (!isWritten) return ['Nothing was written.'];
  const failed = files.filter(({ failure }) => failure);
  return failed.length === 0
    ? ['Done. Start your agents again.']
    : ['Done, except for:', ...failed.flatMap((file) => renderFile(file, home, session))];
}

const getExitCode = ({ code }: Failure): ExitCode =>
  code === 'unexpected' || code === 'crashed' ? EXIT.unexpected : EXIT_BY_ERROR[code];
