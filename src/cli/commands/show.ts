import { Command } from 'commander';
import { openInEditor, thisMachine } from '../../backend/editor.ts';
import type { ChunkDetail } from '../../shared/detail.ts';
import { CHOOSE_EDITOR } from '../../shared/editor-command.ts';
import { EDITORS } from '../../shared/editors.ts';
import { LocusError } from '../../shared/errors.ts';
import { MOST_RESULTS } from '../../shared/limits.ts';
import { named } from '../../shared/quoted.ts';
import type { Repository } from '../../shared/repository.ts';
import type { RankedChunk, SearchResponse } from '../../shared/search.ts';
import { renderChunk } from '../chunk.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { issueOf, type LinkOptions, withLinkOptions } from '../issue-link.ts';
import {
  type RepositoryOptions,
  toRefine,
  withCurrent,
  withRepositoryOptions,
} from '../options.ts';
import type { Run, Session } from '../session.ts';

const EXAMPLES = `
A function, method or class is named by its address (path::qualified.name), by path:line, or by its name when only one has it.

Examples:
  locus show . src/http/cookies.py::parse_cookie
  locus show . src/http/cookies.py:42
  locus show . SessionStore.load
  locus show . parse_cookie --file issue.md      with the evidence that this issue gives for it
  locus show . parse_cookie --open               in your editor, at its line
  locus show . parse_cookie --open --editor zed`;

/** What `show --json` prints: the chunk, and its place for the issue when one was given. */
interface ShownChunk extends ChunkDetail {
  /** Null when it is not among the first `MOST_RESULTS`; absent when no issue was given. */
  ranked?: Pick<RankedChunk, 'rank' | 'score' | 'evidence'> | null;
  /** The editor that it was opened in; absent without `--open`. */
  opened?: string;
}

interface ShowOptions extends RepositoryOptions, LinkOptions {
  open?: boolean;
  editor: string;
}

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
    .option('--open', 'open it in your editor, at its line, instead of printing it')
    .option(
      '--editor <editor>',
      `the editor: ${Object.keys(EDITORS).join(', ')}, or a command with {file} and {line}; else $VISUAL, $EDITOR, or the first that is found`,
      'system',
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, chunk: string, options: ShowOptions) =>
      run(async (session) => {
        const { issue: text, file } = options;
        const issue =
          text === undefined && file === undefined
            ? null
            : (await issueOf(session, dir, [], options)).text;
        return withCurrent(session, dir, options, async (repository) => {
          const detail = await repository.show({ chunk });
          if (options.open) return openShown(detail, repository, options, session);
          const { env, signal } = session.host;
          const request = { limit: MOST_RESULTS, tests: 'include', ...toRefine({}, env) } as const;
          const response =
            issue === null ? null : await repository.search({ issue, ...request }, { signal });
          const ranked = response && placeOf(detail, response);
          session.tell({ ...detail, ...(response && { ranked }) } satisfies ShownChunk, () =>
            renderChunk(detail, response && { response, ranked }, session),
          );
          return EXIT.ok;
        });
      }),
    );
}

/** In the editor: one without a window takes over the terminal until it ends. */
async function openShown(
  detail: ChunkDetail,
  repository: Repository,
  { editor }: ShowOptions,
  session: Session,
): Promise<ExitCode> {
  const { root, revision } = await repository.status();
  if (revision !== null) {
    throw new LocusError(
      'bad-input',
      'the files of a commit are not on disk as they are shown',
      'name a working tree, and leave --at out, to open the file as it is now',
    );
  }
  const { path, startLine: line } = detail;
  const opened = await openInEditor(
    { root, path, line, editor },
    thisMachine(session.interactive && session.host.stdin.isTTY === true),
  ).catch((error: unknown) => {
    throw withOption(error);
  });
  session.tell({ ...detail, opened } satisfies ShownChunk, () => [
    `${named(path)}:${line} opened in ${opened}`,
  ]);
  return EXIT.ok;
}

/** The window's remedy as one of the command line, which has no settings for it. */
function withOption(error: unknown): unknown {
  if (!(error instanceof LocusError) || error.remedy !== CHOOSE_EDITOR) return error;
  const { code, message } = error;
  return new LocusError(code, message, 'name one with --editor, or set $VISUAL', { cause: error });
}

function placeOf(
  chunk: ChunkDetail,
  response: SearchResponse,
): Pick<RankedChunk, 'rank' | 'score' | 'evidence'> | null {
  const result = response.results.find(({ address }) => address === chunk.address);
  return result ? { rank: result.rank, score: result.score, evidence: result.evidence } : null;
}
