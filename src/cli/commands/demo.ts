import { Command } from 'commander';
import { getDataDirectory } from '../../services/locations.ts';
import { createSample, findSample, SAMPLE_ANSWER } from '../../services/sample.ts';
import { LocusError } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import {
  type RepositoryCliOptions,
  type RerankOptions,
  withDaemonOption,
  withEngineOptions,
  withRerankOptions,
  withUpdatedRepository,
} from '../options.ts';
import { renderResults } from '../results.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
The sample is a small repository in the data directory. Its issue has a known answer.

Examples:
  locus demo
  locus demo --json | jq .rank`;

const LIMIT = 5;

type Options = RepositoryCliOptions & RerankOptions;

export function demoCommand(run: RunAction): Command {
  return withDaemonOption(withEngineOptions(withRerankOptions(new Command('demo'))))
    .addHelpText('after', EXAMPLES)
    .action((options: Options) =>
      run(async (session) => {
        const sample = findSample(getDataDirectory(options.dataDir, session.host.env));
        if (sample === null)
          throw new LocusError(
            'bad-input',
            'The sample is missing from this installation.',
            'Reinstall Locus, or search a repository of yours.',
          );
        const { root, issue } = sample;
        await createSample(root);
        return withUpdatedRepository(session, root, options, async (repository) => {
          const response = await session.search(repository, { issue, limit: LIMIT });
          const found = response.results.find(({ address }) => address === SAMPLE_ANSWER);
          const rank = found?.rank ?? null;
          session.printResult({ ...response, answer: SAMPLE_ANSWER, rank }, () => [
            `Issue: ${response.issue.title}`,
            ...renderResults(response, session, root),
            '',
            `The fix belongs in ${SAMPLE_ANSWER}: ${rank === null ? 'not listed' : `rank ${rank}`}.`,
            'Next, search a repository of yours: locus search <dir> "issue text"',
          ]);
          return rank === null ? EXIT.nothingFound : EXIT.ok;
        });
      }),
    );
}
