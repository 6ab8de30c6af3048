import { Command } from 'commander';
import { CODE_HOST_KINDS } from '../../shared/issue-url.ts';
import type { FleetAddOptions, FleetIndexOptions, FleetSetupOptions } from '../fleet.ts';
import { type IssueUrlOptions, readGivenIssue, withIssueUrlOptions } from '../issue-url.ts';
import {
  parseChoice,
  parseInteger,
  type SearchCliOptions,
  toSearchRequest,
  withIssueOptions,
} from '../options.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
Searches all repositories of an organization together. Object storage holds the list of repositories, Milvus the index, and workers on
any number of machines do the indexing. docs/how-to/set-up-a-fleet.md explains the setup.

Examples:
  locus fleet use s3://bucket/locus --engine https://milvus.example.org:19530 --token - < token
  locus fleet add https://github.com/psf/requests git@git.example.com:group/project
  locus fleet index                                   on each worker; again after pushes
  locus fleet index github.com/psf/requests           this repository only
  locus fleet search --file issue.md
  locus fleet status
  locus fleet remove github.com/psf/requests          also deletes its index`;

const DATA_DIR = 'data directory, with clones, indexes and settings (or set LOCUS_DATA_DIR)';

interface FleetLocations {
  objects?: string;
  engine?: string;
  dataDir?: string;
}

export function fleetCommand(run: RunAction): Command {
  const fleet = new Command('fleet').addHelpText('after', EXAMPLES);
  fleet.addCommand(setUpCommand(run));
  fleet.addCommand(addCommand(run));
  fleet.addCommand(indexCommand(run));
  fleet.addCommand(searchCommand(run));
  fleet.addCommand(statusCommand(run));
  fleet.addCommand(removeCommand(run));
  return fleet;
}

function withFleetLocations(command: Command): Command {
  return command
    .option(
      '--objects <folder or url>',
      'storage of the list: a folder or s3://bucket/prefix (or set LOCUS_FLEET_OBJECTS, or store it with use)',
    )
    .option(
      '--engine <url>',
      'Milvus server, or set LOCUS_FLEET_ENGINE, and LOCUS_FLEET_TOKEN for its token (default: http://127.0.0.1:19530)',
    )
    .option('--data-dir <folder>', DATA_DIR);
}

function setUpCommand(run: RunAction): Command {
  return new Command('use')
    .description(
      'Choose the fleet for the command line and the window. Without arguments, show the current one.',
    )
    .argument('[objects]', 'storage of the list: a folder or s3://bucket/prefix')
    .option('--engine <url>', 'Milvus server (default: http://127.0.0.1:19530)')
    .option(
      '--token <->',
      'read the token for Milvus from standard input: user:password, or an API key',
    )
    .option('--off', 'forget the fleet')
    .option('--data-dir <folder>', DATA_DIR)
    .action((objects: string | undefined, options: FleetSetupOptions) =>
      run(async (session) =>
        (await import('../fleet.ts')).configureFleet(session, objects, options),
      ),
    );
}

function addCommand(run: RunAction): Command {
  return withFleetLocations(new Command('add'))
    .description('Add repositories to the list, by URL or folder.')
    .argument('<repository...>', 'URL that git can clone, or a folder')
    .option('--ref <branch or tag>', 'branch or tag to index, instead of the default branch')
    .option(
      '--code-host <kind>',
      `software of the code host, if its name does not tell: ${CODE_HOST_KINDS.join(', ')}`,
      parseChoice(CODE_HOST_KINDS),
    )
    .action((addresses: string[], options: FleetAddOptions) =>
      run(async (session) => (await import('../fleet.ts')).addToFleet(session, addresses, options)),
    );
}

function indexCommand(run: RunAction): Command {
  return withFleetLocations(new Command('index'))
    .description(
      'Index each repository at its newest commit, and share the work with other machines that run this.',
    )
    .argument('[repository...]', 'these only: names as in status, URLs or folders')
    .option(
      '--lease-seconds <seconds>',
      'time after which a killed worker loses its repository (default: 60)',
      parseInteger(1, 3_600),
    )
    .action((names: string[], options: FleetIndexOptions) =>
      run(async (session) => (await import('../fleet.ts')).indexFleet(session, names, options)),
    );
}

function searchCommand(run: RunAction): Command {
  return withFleetLocations(withIssueUrlOptions(withIssueOptions(new Command('search'))))
    .description('Search the functions of all repositories that you can read.')
    .argument('[issue...]', 'text of the issue; - reads standard input')
    .action((words: string[], options: FleetLocations & SearchCliOptions & IssueUrlOptions) =>
      run(async (session) => {
        const { text } = await readGivenIssue(session, null, words, options);
        const request = toSearchRequest(text, options, session.host.env);
        return (await import('../fleet.ts')).runFleetSearch(session, request, options);
      }),
    );
}

function statusCommand(run: RunAction): Command {
  return withFleetLocations(new Command('status'))
    .description('Show the state of each repository.')
    .action((options: FleetLocations) =>
      run(async (session) => (await import('../fleet.ts')).showFleetStatus(session, options)),
    );
}

function removeCommand(run: RunAction): Command {
  return withFleetLocations(new Command('remove'))
    .description('Remove repositories and their indexes.')
    .argument('<repository...>', 'names as in status, URLs or folders')
    .action((names: string[], options: FleetLocations) =>
      run(async (session) =>
        (await import('../fleet.ts')).removeFromFleet(session, names, options),
      ),
    );
}
