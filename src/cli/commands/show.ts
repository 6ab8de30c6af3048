import { Command } from 'commander';
import type { ChunkDetail } from '../../shared/detail.ts';
import { MOST_RESULTS } from '../../shared/limits.ts';
import type { RankedChunk, SearchResponse } from '../../shared/search.ts';
import { renderChunk } from '../chunk.ts';
import { EXIT } from '../exit-codes.ts';
import { issueOf, type LinkOptions, withLinkOptions } from '../issue-link.ts';
import {
  openOptions,
  type RepositoryOptions,
  toRefine,
  withRepositoryOptions,
} from '../options.ts';
import type { Run } from '../run.ts';

const EXAMPLES = `
A function, method or class is named by its address (path::qualified.name), by path:line, or by its name when only one has it.

Examples:
  locus show . src/http/cookies.py::parse_cookie
  locus show . src/http/cookies.py:42
  locus show . SessionStore.load
  locus show . parse_cookie --file issue.md      with the evidence that this issue gives for it`;

/** What `show --json` prints: the chunk, and its place for the issue when one was given. */
interface ShownChunk extends ChunkDetail {
  /** Null when it is not among the first `MOST_RESULTS`; absent when no issue was given. */
  ranked?: Pick<RankedChunk, 'rank' | 'score' | 'evidence'> | null;
}

/** `locus show <dir> <function>`: code, callers and callees, what the model saw, and the evidence for an issue. */
export function showCommand(run: Run): Command {
  return withLinkOptions(withRepositoryOptions(new Command('show')))
    .description(
      'Show a function: its code, its neighbours, what the model saw, and the evidence for an issue.',
    )
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .argument('<function>', 'path::qualified.name, path:line, or a unique name')
    .option(
      '-f, --file <file>',
      'show the evidence that the issue in a file gives, as with --issue; - is standard input',
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, chunk: string, options: RepositoryOptions & LinkOptions) =>
      run(async (session) => {
        const { issue: text, file } = options;
        const issue =
          text === undefined && file === undefined
            ? null
            : (await issueOf(session, dir, [], options)).text;
        return session.withRepository(
          dir,
          openOptions(options, session.host),
          async (repository) => {
            await session.refresh(repository);
            const detail = await repository.show(chunk);
            const response =
              issue === null
                ? null
                : await repository.search(
                    {
                      issue,
                      limit: MOST_RESULTS,
                      tests: 'include',
                      ...toRefine({}, session.host.env),
                    },
                    { signal: session.host.signal },
                  );
            const ranked = response && placeOf(detail, response);
            if (session.json)
              session.printJson({ ...detail, ...(response && { ranked }) } satisfies ShownChunk);
            else session.print(...renderChunk(detail, response && { response, ranked }, session));
            return EXIT.ok;
          },
        );
      }),
    );
}

function placeOf(
  chunk: ChunkDetail,
  response: SearchResponse,
): Pick<RankedChunk, 'rank' | 'score' | 'evidence'> | null {
  const result = response.results.find(({ address }) => address === chunk.address);
  return result ? { rank: result.rank, score: result.score, evidence: result.evidence } : null;
}
