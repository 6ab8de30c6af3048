import { Command } from 'commander';
import { describeMachine, openInEditor } from '../../backend/editor.ts';
import type { CallEdge } from '../../shared/call-graph.ts';
import type { ChunkDetail, EncoderPart } from '../../shared/detail.ts';
import { CHOOSE_EDITOR } from '../../shared/editor-command.ts';
import { EDITORS } from '../../shared/editors.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { formatSignalNumbers } from '../../shared/evidence.ts';
import { formatCell } from '../../shared/format-cell.ts';
import { formatCount, formatCounted } from '../../shared/format-count.ts';
import { MAX_RESULTS } from '../../shared/limits.ts';
import { escapeHidden, quoteLines, quoteName, quoteText } from '../../shared/quote.ts';
import { describeKeys } from '../../shared/registration.ts';
import type { Repository } from '../../shared/repository.ts';
import type { RankedChunk, SearchResponse } from '../../shared/search.ts';
import { getShownName } from '../../shared/shown-name.ts';
import { describeUndecoded } from '../../shared/undecoded.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type IssueUrlOptions, readGivenIssue, withIssueUrlOptions } from '../issue-url.ts';
import {
  type RepositoryCliOptions,
  toRerankRequest,
  withDaemonOption,
  withRepositoryOptions,
  withUpdatedRepository,
} from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { type Colors, countColumns, drawBar, padEnd, padStart, truncate } from '../terminal.ts';

const EXAMPLES = `
Name a function, method or class by its address (path::qualified.name), by path:line, or by its name if that is unique.

Examples:
  locus show . src/http/cookies.py::parse_cookie
  locus show . src/http/cookies.py:42
  locus show . SessionStore.load
  locus show . parse_cookie --file issue.md      with the evidence from this issue
  locus show . parse_cookie --open               in your editor, at its line
  locus show . parse_cookie --open --editor zed`;

/** Output of `show --json`: the chunk, and its rank if an issue was given. */
interface ShownChunk extends ChunkDetail {
  /** Null if it is not among the first `MAX_RESULTS`; absent without an issue. */
  ranked?: Pick<RankedChunk, 'rank' | 'score' | 'evidence'> | null;
  /** Editor in which it was opened; absent without `--open`. */
  opened?: string;
}

interface ShowOptions extends RepositoryCliOptions, IssueUrlOptions {
  open?: boolean;
  editor: string;
}

export function showCommand(run: RunAction): Command {
  return withIssueUrlOptions(withDaemonOption(withRepositoryOptions(new Command('show'))))
    .argument('<dir>', 'folder, git working tree or bare repository')
    .argument('<function>', 'path::qualified.name, path:line, or a unique name')
    .option(
      '-f, --file <file>',
      'read the issue for the evidence from a file, or from standard input for -',
    )
    .option('--open', 'open it in your editor at its line, instead of printing it')
    .option(
      '--editor <editor>',
      `${Object.keys(EDITORS).join(', ')}, a command with {file} and {line}, or system for $VISUAL, $EDITOR, or the first editor found`,
      'system',
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, chunk: string, options: ShowOptions) =>
      run(async (session) => {
        const { issue: text, file } = options;
        const issue =
          text === undefined && file === undefined
            ? null
            : (await readGivenIssue(session, dir, [], options)).text;
        return withUpdatedRepository(session, dir, options, async (repository) => {
          const detail = await repository.show({ chunk });
          if (options.open) return openShown(detail, repository, options, session);
          const { env } = session.host;
          const request = {
            limit: MAX_RESULTS,
            tests: 'include',
            ...toRerankRequest({}, env),
          } as const;
          const response =
            issue === null ? null : await session.search(repository, { issue, ...request });
          const ranked = response && findRank(detail, response);
          session.printResult({ ...detail, ...(response && { ranked }) } satisfies ShownChunk, () =>
            renderChunk(detail, response && { response, ranked }, session),
          );
          return EXIT.ok;
        });
      }),
    );
}

/** Opens the function in the editor. An editor without a window takes over the terminal until it exits. */
async function openShown(
  detail: ChunkDetail,
  repository: Repository,
  { editor }: ShowOptions,
  session: Session,
): Promise<ExitCode> {
  const { root, revision } = await repository.status();
  if (revision !== null) {
    throw badInput(
      'The file of a commit cannot be opened: it is not on disk.',
      'Omit --at and name a working tree, to open the current file.',
    );
  }
  const { path, startLine: line } = detail;
  const opened = await openInEditor(
    { root, path, line, editor },
    describeMachine(session.isInteractive && session.host.stdin.isTTY === true),
  ).catch((error: unknown) => {
    throw withOption(error);
  });
  session.printResult({ ...detail, opened } satisfies ShownChunk, () => [
    `Opened ${quoteName(path)}:${line} in ${opened}`,
  ]);
  return EXIT.ok;
}

/** Replaces the window's remedy, which names a setting, by one for the command line. */
function withOption(error: unknown): unknown {
  if (!(error instanceof LocusError) || error.remedy !== CHOOSE_EDITOR) return error;
  const { code, message } = error;
  return new LocusError(code, message, 'Name one with --editor, or set $VISUAL.', { cause: error });
}

function findRank(chunk: ChunkDetail, response: SearchResponse): Ranked | null {
  const result = response.results.find(({ address }) => address === chunk.address);
  return result ? { rank: result.rank, score: result.score, evidence: result.evidence } : null;
}

type Ranked = Pick<RankedChunk, 'rank' | 'score' | 'evidence'>;

/** Renders a chunk for a terminal. */
export function renderChunk(
  chunk: ChunkDetail,
  search: { response: SearchResponse; ranked: Ranked | null } | null,
  { colors, columns }: Session,
): string[] {
  const undecoded = describeUndecoded(chunk.code);
  return [
    `${colors.bold(quoteName(getShownName(chunk)))}  ${colors.dim(chunk.role === 'source' ? chunk.kind : `${chunk.kind}, ${chunk.role}`)}  ${quoteName(chunk.path)}${colors.dim(`:${chunk.startLine}-${chunk.endLine}${formatCell(chunk)}`)}`,
    ...(search ? ['', ...renderEvidence(search.response, search.ranked, colors, columns)] : []),
    '',
    ...renderCode(chunk, colors),
    ...(undecoded ? [colors.dim(undecoded)] : []),
    ...renderEdges('called by', chunk.callers, 'caller', colors),
    ...renderEdges('calls', chunk.callees, 'callee', colors),
    '',
    ...renderContext(chunk.context, colors),
  ];
}

function renderEvidence(
  response: SearchResponse,
  ranked: Ranked | null,
  colors: Colors,
  columns: number,
): string[] {
  const title = `for ${quoteText(response.issue.title)}`;
  if (!ranked) {
    return [
      `${colors.bold('evidence')} ${truncate(`not among the first ${formatCount(response.results.length)} ${title}`, columns - 10)}`,
    ];
  }
  const signals = Object.values(ranked.evidence).sort(
    (a, b) => Math.abs(b.contribution) - Math.abs(a.contribution),
  );
  const most = Math.max(...signals.map(({ contribution }) => Math.abs(contribution)), 1e-9);
  const name = Math.max(...signals.map((signal) => countColumns(escapeHidden(signal.title))));
  return [
    `${colors.bold('evidence')} ${truncate(`rank ${ranked.rank}, score ${ranked.score.toFixed(2)} ${title}`, columns - 10)}`,
    ...signals.map((signal) => {
      const { title, measured, contribution, sentence, spans } = signal;
      // The sentence quotes the first span only.
      const quotes = [...new Set(spans?.map(({ text }) => quoteText(text)))].slice(1);
      const details = [sentence, formatSignalNumbers(signal), ...quotes]
        .filter(Boolean)
        .join(' · ');
      const paint = contribution < 0 ? colors.red : colors.cyan;
      const size = padStart(
        `${contribution < 0 ? '−' : '+'}${Math.abs(contribution).toFixed(2)}`,
        7,
      );
      return `  ${padEnd(escapeHidden(title), name)} ${size} ${paint(padEnd(drawBar(Math.abs(contribution) / most, 8), 8))} ${colors.dim(truncate(`${measured}  ${escapeHidden(details)}`, columns - name - 22))}`;
    }),
  ];
}

function renderCode(chunk: ChunkDetail, colors: Colors): string[] {
  const lines = quoteLines(chunk.code.replace(/\n$/, ''));
  // The lines of module code are not contiguous in the file, so line numbers would be wrong.
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
      const facts = [
        edge.kind === 'call' ? '' : edge.registered ? describeKeys(edge.registered) : edge.kind,
        edge.guess ? 'guessed by name' : '',
        lines.length > 0 ? at : '',
      ];
      return `  ${quoteName(edge[end])}  ${colors.dim(facts.filter(Boolean).join(', '))}`;
    }),
  ];
}

/** Renders the encoder's exact input, including the text beyond its limits. */
function renderContext(context: ChunkDetail['context'], colors: Colors): string[] {
  const title = `${colors.bold(`input of ${quoteName(context.model)}`)} ${colors.dim(context.embedded ? '(encoded)' : '(not encoded yet)')}`;
  return [title, ...context.parts.flatMap((part) => renderPart(part, colors))];
}

function renderPart(part: EncoderPart, colors: Colors): string[] {
  const size = `${formatCounted(part.tokens, 'token')}${part.cut > 0 ? `, ${formatCount(part.cut)} cut off` : ''}`;
  const head = `  ${colors.cyan(part.role)}${part.address ? ` ${quoteName(part.address)}` : ''} ${colors.dim(size)}`;
  return [
    head,
    ...quoteLines(part.text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, '')).map(
      (line) => `    ${colors.dim(line)}`,
    ),
  ];
}
