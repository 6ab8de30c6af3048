import { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { issueOf, type LinkOptions, withLinkOptions } from '../issue-link.ts';
import { openOptions, type SearchOptions, toSearchRequest, withSearchOptions } from '../options.ts';
import { renderResults } from '../results.ts';
import type { Run } from '../run.ts';
import {
  searchVerified,
  type VerifiedResponse,
  type VerifyCliOptions,
  verifierOf,
  withVerifyOptions,
} from '../verify.ts';

const EXAMPLES = `
The issue is text in quotes, a file, standard input, or a link (--issue). Quote names, paths and tracebacks as they are: Locus
recognises them. The first search of a repository indexes it; later ones read only what changed.

Examples:
  locus search . "cookies with a quoted comma are cut short"
  locus search . --file issue.md --limit 10
  pytest 2>&1 | tail -60 | locus search . -
  locus search . --issue owner/repo#123 --fetch
  locus search . --at HEAD~20 --file issue.md
  locus search . --fast --file issue.md
  locus search . --kind method --kind function --path 'src/**' "timeouts are ignored"
  locus search . --file issue.md --json | jq -r '.results[] | "\\(.path):\\(.startLine)"'`;

/** `locus search <dir> [issue...]`: ranks the functions of a repository for an issue. */
export function searchCommand(run: Run): Command {
  return withVerifyOptions(withLinkOptions(withSearchOptions(new Command('search'))))
    .description('Rank the functions, methods and classes that a fix of an issue would change.')
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .argument('[issue...]', 'the text of the issue; - reads standard input')
    .addHelpText('after', EXAMPLES)
    .action(
      (dir: string, words: string[], options: SearchOptions & LinkOptions & VerifyCliOptions) =>
        run(async (session) => {
          const { text: issue, source } = await issueOf(session, dir, words, options);
          const verifier = verifierOf(options, session.host.env);
          return session.withRepository(
            dir,
            openOptions(options, session.host),
            async (repository) => {
              await session.refresh(repository);
              const request = toSearchRequest(issue, options, session.host.env);
              const response: VerifiedResponse = verifier
                ? await searchVerified(repository, request, verifier, options, session)
                : await repository.search(request, { signal: session.host.signal });
              if (session.json) session.printJson({ ...response, ...(source && { source }) });
              else session.print(...renderResults(response, session, dir));
              return response.results.length > 0 ? EXIT.ok : EXIT.nothingFound;
            },
          );
        }),
    );
}
