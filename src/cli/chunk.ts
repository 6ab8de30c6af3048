/** A chunk for a person at a terminal. */
import type { CallEdge } from '../shared/call-graph.ts';
import type { ChunkDetail, EncoderPart } from '../shared/detail.ts';
import { numbersOf } from '../shared/evidence.ts';
import { named, quoted, quotedLines, visible } from '../shared/quoted.ts';
import type { RankedChunk, SearchResponse } from '../shared/search.ts';
import type { Session } from './session.ts';
import { bar, type Colors, columnsOf, count, counted, fit, padEnd, padStart } from './terminal.ts';

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

/** What the encoder was given, word for word, with what its limits cut off. */
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
