import { Command } from 'commander';
import { searchText } from '../../services/check/look-again.ts';
import { sortByCheck } from '../../shared/checked-order.ts';
import { formatFailure } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import type { InvestigationOutcome } from '../../shared/investigate.ts';
import { DEFAULT_RESULTS } from '../../shared/limits.ts';
import type { Repository } from '../../shared/repository.ts';
import type { SearchRequest } from '../../shared/search.ts';
import type { CheckedResponse } from '../check.ts';
import { EXIT } from '../exit-codes.ts';
import {
  type InvestigateCliOptions,
  runInvestigation,
  toInvestigationSettings,
  withdrawInvestigations,
  withInvestigateOptions,
} from '../investigate.ts';
import { type IssueUrlOptions, readGivenIssue, withIssueUrlOptions } from '../issue-url.ts';
import {
  type SearchCliOptions,
  toSearchRequest,
  withDaemonOption,
  withEngineOptions,
  withIssueOptions,
  withRerankOptions,
  withUpdatedRepository,
} from '../options.ts';
import { renderResults } from '../results.ts';
import type { RunAction, Session } from '../session.ts';
import { splitWords } from '../workspace.ts';

const EXAMPLES = `
An agent that you are signed in to, such as Claude Code, searches and reads the repository with Locus's tools, and says what the fix
edits. It runs in the system's sandbox, in an empty folder. Every request for permission is refused.

Examples:
  locus investigate . --file issue.md --agent claude --agree
  locus investigate "cookies with a quoted comma are cut short" --agent gemini
  locus investigate . --file issue.md --agent /opt/agent --tool-calls 20 --json`;

type Options = SearchCliOptions & IssueUrlOptions & InvestigateCliOptions;

/** Number of results that an investigation needs. */
const NEEDED = 50;

export function investigateCommand(run: RunAction): Command {
  const search = withIssueOptions(withRerankOptions(new Command('investigate')));
  return withInvestigateOptions(withIssueUrlOptions(withDaemonOption(withEngineOptions(search))))
    .argument('[dir]', 'folder of the repository (default: the current one)')
    .argument('[issue...]', 'text of the issue; - reads standard input')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, rest: string[], options: Options) =>
      run(async (session) => {
        const settings = toInvestigationSettings(options, session.host.env);
        if (options.withdraw) {
          await withdrawInvestigations(settings, options, session);
          return EXIT.ok;
        }
        const { folders, words } = splitWords(dir === undefined ? [] : [dir, ...rest], {});
        const [root = '.'] = folders;
        const { text: issue, source } = await readGivenIssue(session, root, words, options);
        const request = toSearchRequest(issue, options, session.host.env);
        const response = await withUpdatedRepository(session, root, options, (repository) =>
          searchAndInvestigate(repository, request, { settings, options, session }),
        );
        if (session.json) session.printJson({ ...response, ...(source && { source }) });
        else session.print(...renderResults(response, session, root));
        return response.results.length > 0 ? EXIT.ok : EXIT.nothingFound;
      }),
    );
}

/** Searches and investigates; `rank` is then the rank in the checked order. */
async function searchAndInvestigate(
  repository: Repository,
  request: SearchRequest,
  {
    settings,
    options,
    session,
  }: {
    settings: ReturnType<typeof toInvestigationSettings>;
    options: Options;
    session: Session;
  },
): Promise<CheckedResponse> {
  const limit = request.limit ?? DEFAULT_RESULTS;
  const response = await session.search(repository, {
    ...request,
    limit: Math.max(limit, NEEDED),
  });
  const { results, repository: searched, issue } = response;
  if (results.length === 0) return response;
  const ranking = {
    ...{ repository, root: searched.root, issue: request.issue },
    ...{ results, frames: issue.frames, search: searchText(repository, request) },
  };
  const check = await runInvestigation(ranking, settings, options, session);
  noteOutcome(check, session);
  const order = sortByCheck(results, check).slice(0, limit);
  return { ...response, results: order.map((result, i) => ({ ...result, rank: i + 1 })), check };
}

function noteOutcome({ failure, investigation }: InvestigationOutcome, session: Session): void {
  const { toolCalls, refused } = investigation;
  session.note(
    `locus: ${formatCounted(toolCalls, 'tool call')}, ${formatCounted(refused, 'refused request')}.`,
  );
  if (failure)
    session.note(`locus: Not checked. The original order stays. ${formatFailure(failure)}`);
}
