import { Command } from 'commander';
import { openInEditor, thisMachine } from '../../backend/editor.ts';
import type { CallEdge } from '../../shared/call-graph.ts';
import type { ChunkDetail, EncoderPart } from '../../shared/detail.ts';
import { CHOOSE_EDITOR } from '../../shared/editor-command.ts';
import { EDITORS } from '../../shared/editors.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { numbersOf } from '../../shared/evidence.ts';
import { MOST_RESULTS } from '../../shared/limits.ts';
import { named, quoted, quotedLines, visible } from '../../shared/quoted.ts';
import type { Repository } from '../../shared/repository.ts';
import type { RankedChunk, SearchResponse } from '../../shared/search.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { issueOf, type LinkOptions, withLinkOptions } from '../issue-link.ts';
import {
  type RepositoryOptions,
  toRefine,
  withCurrent,
  withRepositoryOptions,
} from '../options.ts';
import type { Run, Session } from '../session.ts';
import { bar, type Colors, columnsOf, count, counted, fit, padEnd, padStart } from '../terminal.ts';

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
    throw badInput(
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

/** A chunk for a person at a terminal. */

type Place = Pick<RankedChunk, 'rank' | 'score' | 'evidence'>;

export function renderChunk(
  chunk: ChunkDetail,
  search: { response: SearchResponse; ranked: Place | null } | null,
  { colors, columns }: Session,
): string[] {
  return [
    `${colors.bold(named(chunk.qualifiedName))}  ${colors.dim(chunk.role === 'source' ? chunk.kind : `${chunk.kind}, ${chunk.role}`)}  ${named(chunk.path)}${colors.dim(`:${chunk.startLine}-${chunk.endLine}`)}`,
    ...(search ? ['', ...renderEvidence(search.response, search.ranked, colors, columns)] : []),
    '',
    ...renderCode(chunk, colors),
    ...renderEdges('called by', chunk.callers, 'caller', colors),
    ...renderEdges('calls', chunk.callees, 'callee', colors),
    '',
    ...renderContext(chunk.context, colors),
  ];
}

function renderEvidence(
  response: SearchResponse,
  place: Place | null,
  colors: Colors,
  columns: number,
): string[] {
  const title = `for ${quoted(response.issue.title)}`;
  if (!place) {
    return [
      `${colors.bold('evidence')} ${fit(`not among the first ${count(response.results.length)} ${title}`, columns - 10)}`,
    ];
  }
  const signals = Object.values(place.evidence).sort(
    (a, b) => Math.abs(b.contribution) - Math.abs(a.contribution),
  );
  const most = Math.max(...signals.map(({ contribution }) => Math.abs(contribution)), 1e-9);
  const name = Math.max(...signals.map((signal) => columnsOf(visible(signal.title))));
  return [
    `${colors.bold('evidence')} ${fit(`rank ${place.rank}, score ${place.score.toFixed(2)} ${title}`, columns - 10)}`,
    ...signals.map((signal) => {
      const { title, measured, contribution, sentence, spans } = signal;
      // Sentences quote the first place only.
      const places = [...new Set(spans?.map(({ text }) => quoted(text)))].slice(1);
      const said = [sentence, numbersOf(signal), ...places].filter(Boolean).join(' · ');
      const paint = contribution < 0 ? colors.red : colors.cyan;
      const size = padStart(
        `${contribution < 0 ? '−' : '+'}${Math.abs(contribution).toFixed(2)}`,
        7,
      );
      return `  ${padEnd(visible(title), name)} ${size} ${paint(padEnd(bar(Math.abs(contribution) / most, 8), 8))} ${colors.dim(fit(`${measured}  ${visible(said)}`, columns - name - 22))}`;
    }),
  ];
}

function renderCode(chunk: ChunkDetail, colors: Colors): string[] {
  const lines = quotedLines(chunk.code.replace(/\n$/, ''));
  // A module chunk's lines are not one run of the file, so that numbers would be wrong.
  if (chunk.kind === 'module') return lines;
  const digits = String(chunk.endLine).length;
  return lines.map(
    (line, i) => `${colors.dim(padStart(String(chunk.startLine + i), digits))} ${line}`,
  );
}

function renderEdges(
  title: string,
  edges: CallEdge[],
  end: 'caller' | 'callee',
  colors: Colors,
): string[] {
  if (edges.length === 0) return [];
  return [
    '',
    colors.bold(title),
    ...edges.map((edge) => {
      const lines = edge.sites.map(({ line }) => line);
      const at = `line${lines.length > 1 ? 's' : ''} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}`;
      const how = [
        edge.kind === 'call' ? '' : edge.kind,
        edge.guess ? 'guessed by name' : '',
        lines.length > 0 ? at : '',
      ];
      return `  ${named(edge[end])}  ${colors.dim(how.filter(Boolean).join(', '))}`;
    }),
  ];
}

/** Renders the encoder's exact input, with the text that its limits cut off. */
function renderContext(context: ChunkDetail['context'], colors: Colors): string[] {
  const title = `${colors.bold(`what ${named(context.model)} saw`)} ${colors.dim(context.embedded ? '(encoded)' : '(not encoded yet)')}`;
  return [title, ...context.parts.flatMap((part) => renderPart(part, colors))];
}

function renderPart(part: EncoderPart, colors: Colors): string[] {
  const size = `${counted(part.tokens, 'token')}${part.cut > 0 ? `, ${count(part.cut)} cut off` : ''}`;
  const head = `  ${colors.cyan(part.role)}${part.address ? ` ${named(part.address)}` : ''} ${colors.dim(size)}`;
  return [
    head,
    ...quotedLines(part.text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, '')).map(
      (line) => `    ${colors.dim(line)}`,
    ),
  ];
}
