import { Command } from 'commander';
import { listReasons } from '../../shared/evidence.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import type { RankedChunk, SearchRequest } from '../../shared/search.ts';
import { splitMember } from '../../shared/workspace.ts';
import {
  applyCheck,
  type CheckChoice,
  type CheckCliOptions,
  type CheckedResponse,
  readCheckSettings,
  searchAndCheck,
  withCheckOptions,
} from '../check.ts';
import { type CloneCliOptions, resolveTarget } from '../clone.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type IssueUrlOptions, readGivenIssue, withIssueUrlOptions } from '../issue-url.ts';
import {
  type SearchCliOptions,
  toSearchRequest,
  withSearchOptions,
  withUpdatedRepository,
} from '../options.ts';
import { renderResults } from '../results.ts';
import type { RunAction, Session } from '../session.ts';
import {
  type NamedRepository,
  noteFailures,
  openWorkspace,
  resolveWorkspace,
  splitWords,
  type WorkspaceOptions,
  withWorkspaceOptions,
} from '../workspace.ts';

const EXAMPLES = `
The issue is text in quotes, a file, standard input, or a URL (--issue). Locus recognizes names, paths and tracebacks in it.
The first search of a repository indexes it; later searches index only what changed.

Examples:
  locus search . "cookies with a quoted comma are cut short"
  locus search . --file issue.md --limit 10
  pytest 2>&1 | tail -60 | locus search . -
  locus search . --issue owner/repo#123 --fetch
  locus search . --at HEAD~20 --file issue.md
  locus search . --fast --file issue.md
  locus search https://github.com/psf/requests --file issue.md     clones it, if you agree
  locus search https://github.com/psf/requests --history --file issue.md      past commits too
  locus search --repo api --repo web --file issue.md      both, in one list
  locus search ~/src --workspace --file issue.md          every repository in a folder
  locus search . --package @acme/api --file issue.md      one package of a monorepo
  locus search . --kind method --kind function --path 'src/**' "timeouts are ignored"
  locus search . --file issue.md --json | jq -r '.results[] | "\\(.path):\\(.startLine)"'`;

type Options = SearchCliOptions &
  IssueUrlOptions &
  CheckCliOptions &
  WorkspaceOptions &
  CloneCliOptions;

export function searchCommand(run: RunAction): Command {
  return withCheckOptions(
    withWorkspaceOptions(withIssueUrlOptions(withSearchOptions(new Command('search')))),
  )
    .argument('[dir]', 'folder or URL of the repository (default: the current folder)')
    .argument('[issue...]', 'text of the issue; - reads standard input')
    .option('--yes', 'clone the repository of a URL without asking')
    .option('--history', 'fetch past commits of a URL too, which improve the ranking')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, rest: string[], given: Options) =>
      run(async (session) => {
        const { folders, words } = splitWords(dir === undefined ? [] : [dir, ...rest], given);
        const members = await resolveWorkspace(folders, given, session);
        const { root, options } = members
          ? { root: '', options: given }
          : await resolveTarget(folders[0] ?? '', given, session);
        const roots = members?.map((member) => member.root);
        const issueRoot = members ? null : root;
        const { text: issue, source } = await readGivenIssue(session, issueRoot, words, options);
        const request = toSearchRequest(issue, options, session.host.env);
        const settings = await readCheckSettings(options, session.host.env);
        const search = (repository: QueryTarget) =>
          searchIn(repository, request, settings && { settings, options, roots }, session);
        if (members) return searchWorkspace(members, search, options, session);
        const exit = await withUpdatedRepository(session, root, options, async (repository) => {
          const response = await search(repository);
          if (session.json)
            session.printJson({ ...withReasons(response), ...(source && { source }) });
          else print(response, session, root);
          return response.results.length > 0 ? EXIT.ok : EXIT.nothingFound;
        });
        await session.host.startDaemon?.();
        return exit;
      }),
    );
}

async function searchIn(
  repository: QueryTarget,
  request: SearchRequest,
  choice: CheckChoice | null,
  session: Session,
): Promise<CheckedResponse> {
  if (!choice) return session.search(repository, request);
  return applyCheck(await searchAndCheck(repository, request, choice, session), request.limit);
}

async function searchWorkspace(
  repositories: readonly NamedRepository[],
  search: (repository: QueryTarget) => Promise<CheckedResponse>,
  options: Options,
  session: Session,
): Promise<ExitCode> {
  const response = await search(await openWorkspace(repositories, options, session));
  noteFailures(response, session);
  if (session.json) session.printJson(withReasons(withOwnPaths(response)));
  else print(response, session, '');
  return response.results.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** Prints the results as text. */
function print(response: CheckedResponse, session: Session, dir: string): void {
  session.print(...renderResults(response, session, dir));
}

/** Returns a response with the strongest reasons of each result, for scripts that show no evidence. */
function withReasons<T extends { results: readonly RankedChunk[] }>(response: T) {
  return {
    ...response,
    results: response.results.map(({ evidence, ...result }) => ({
      ...result,
      reasons: listReasons({ evidence }),
      evidence,
    })),
  };
}

/** Returns the response with paths and addresses relative to the repository of each result, and with its root. */
function withOwnPaths({ check, ...response }: CheckedResponse) {
  const roots = new Map(response.repositories?.map(({ name, root }) => [name, root]));
  const toOwnPath = (path: string) => splitMember(path, (name) => roots.has(name))?.path ?? path;
  const chunks = check?.chunks.map((checked) => {
    const own = splitMember(checked.address, (name) => roots.has(name));
    return { ...checked, address: toOwnPath(checked.address), repository: own?.name };
  });
  return {
    ...response,
    ...(check && { check: { ...check, chunks } }),
    results: response.results.map(({ repository = '', ...result }) => ({
      ...result,
      repository,
      root: roots.get(repository) ?? '',
      path: toOwnPath(result.path),
      address: toOwnPath(result.address),
      ...(result.related && {
        related: result.related.map((companion) => ({
          ...companion,
          path: toOwnPath(companion.path),
          address: toOwnPath(companion.address),
        })),
      }),
    })),
  };
}
