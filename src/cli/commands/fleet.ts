import { Command } from 'commander';
import { FORGE_NAMES } from '../../shared/issue-link.ts';
import type { AddOptions, IndexOptions, UseOptions } from '../fleet.ts';
import { issueOf, type LinkOptions, withLinkOptions } from '../issue-link.ts';
import {
  integer,
  oneOf,
  type SearchOptions,
  toSearchRequest,
  withIssueOptions,
} from '../options.ts';
import type { Run } from '../session.ts';

const EXAMPLES = `
All repositories of a company in one list: object storage says which there are, Milvus finds, and workers on any number of machines
index. docs/fleet.md has the set-up.

Examples:
  locus fleet use s3://bucket/locus --engine https://milvus.example.org:19530 --token - < token
  locus fleet add https://github.com/psf/requests git@git.example.com:group/project
  locus fleet index                                   on each machine that is to work; again after pushes
  locus fleet index github.com/psf/requests           what was pushed to, and nothing else
  locus fleet search --file issue.md
  locus fleet status
  locus fleet remove github.com/psf/requests          with all that was stored of it`;

const DATA_DIR = 'where clones, indexes and what use stores are kept (or set LOCUS_DATA_DIR)';

interface Places {
  objects?: string;
  engine?: string;
  dataDir?: string;
}

export function fleetCommand(run: Run): Command {
  const fleet = new Command('fleet')
    .description('Index and search all repositories of a company, in Milvus.')
    .addHelpText('after', EXAMPLES);
  fleet.addCommand(setUpCommand(run));
  fleet.addCommand(addCommand(run));
  fleet.addCommand(indexCommand(run));
  fleet.addCommand(searchCommand(run));
  fleet.addCommand(statusCommand(run));
  fleet.addCommand(removeCommand(run));
  return fleet;
}

function withPlaces(command: Command): Command {
  return command
    .option(
      '--objects <folder or address>',
      'where its list is: a folder, or s3://bucket/prefix (or set LOCUS_FLEET_OBJECTS, or store it with use)',
    )
    .option(
      '--engine <address>',
      'Milvus, http://127.0.0.1:19530 unless said (or set LOCUS_FLEET_ENGINE; its token in LOCUS_FLEET_TOKEN)',
    )
    .option('--data-dir <folder>', DATA_DIR);
}

function setUpCommand(run: Run): Command {
  return new Command('use')
    .description(
      'Store which fleet is used from now on, here and in the window; alone, say which is.',
    )
    .argument('[objects]', 'where its list is: a folder, or s3://bucket/prefix')
    .option('--engine <address>', 'Milvus, http://127.0.0.1:19530 unless said')
    .option(
      '--token <->',
      'read what Milvus is shown from standard input: user:password, or an API key',
    )
    .option('--off', 'store none any more')
    .option('--data-dir <folder>', DATA_DIR)
    .action((objects: string | undefined, options: UseOptions) =>
      run(async (session) => (await import('../fleet.ts')).use(session, objects, options)),
    );
}

function addCommand(run: Run): Command {
  return withPlaces(new Command('add'))
    .description('Add repositories to the list, by their addresses or folders.')
    .argument('<repository...>', 'what git clones, or a folder')
    .option('--ref <branch or tag>', 'what to index, in place of what the host has as HEAD')
    .option(
      '--forge <name>',
      `what runs on the host, where its name does not say it: ${FORGE_NAMES.join(', ')}`,
      oneOf(FORGE_NAMES),
    )
    .action((places: string[], options: AddOptions) =>
      run(async (session) => (await import('../fleet.ts')).add(session, places, options)),
    );
}

function indexCommand(run: Run): Command {
  return withPlaces(new Command('index'))
    .description(
      'Work until each repository is at its newest commit, together with all who do so now.',
    )
    .argument('[repository...]', 'these alone: names as status has them, addresses or folders')
    .option(
      '--lease-seconds <seconds>',
      'how long a repository waits for a worker that was killed (60)',
      integer(1, 3_600),
    )
    .action((names: string[], options: IndexOptions) =>
      run(async (session) => (await import('../fleet.ts')).index(session, names, options)),
    );
}

function searchCommand(run: Run): Command {
  return withPlaces(withLinkOptions(withIssueOptions(new Command('search'))))
    .description('Rank the functions of all repositories that you may read for an issue.')
    .argument('[issue...]', 'the text of the issue; - reads standard input')
    .action((words: string[], options: Places & SearchOptions & LinkOptions) =>
      run(async (session) => {
        const { text } = await issueOf(session, null, words, options);
        const request = toSearchRequest(text, options, session.host.env);
        return (await import('../fleet.ts')).search(session, request, options);
      }),
    );
}

function statusCommand(run: Run): Command {
  return withPlaces(new Command('status'))
    .description('Show what became of each repository.')
    .action((options: Places) =>
      run(async (session) => (await import('../fleet.ts')).status(session, options)),
    );
}

function removeCommand(run: Run): Command {
  return withPlaces(new Command('remove'))
    .description('Take repositories out, with all that was stored of them.')
    .argument('<repository...>', 'names as status has them, addresses or folders')
    .action((names: string[], options: Places) =>
      run(async (session) => (await import('../fleet.ts')).remove(session, names, options)),
    );
}
