import { listReasons } from '../../shared/evidence.ts';
import { formatCell } from '../../shared/format-cell.ts';
import { MARK_TITLES } from '../../shared/marks.ts';
import { indexRanks, writeRelationClauses } from '../../shared/related-chunks.ts';
import type { RankedChunk, Reranking } from '../../shared/search.ts';
import { getShownName } from '../../shared/shown-name.ts';
import { describeList, type ExportInput, getRank, getReranking } from './export-input.ts';
import { describeVerdict, findVerdict } from './list-check.ts';
import { escapeMarkdown, formatCodeBlock, formatCodeSpan, formatQuote } from './markdown-text.ts';

/** Writes a page for an issue tracker or a review: the list, the reasons for each result, and the code if requested. */
export function toMarkdown(input: ExportInput): string {
  const { response, commit, createdAt } = input;
  const { repository, model, partial, results } = response;
  const at = commit
    ? ` at ${formatCodeSpan(commit.slice(0, 12))}${repository.revision === null ? ', as on disk' : ''}`
    : '';
  const head = [
    `# Where to edit: ${formatCodeSpan(response.issue.title)}`,
    '',
    `${results.length} of ${repository.chunks} functions, methods and classes of ${formatCodeSpan(repository.name)}${at}, ranked by Locus (${formatCodeSpan(model.id)}${describeReranking(response.reranking)}${createdAt ? `, ${createdAt.slice(0, 10)}` : ''}).`,
    ...(partial ? ['', `**Partial:** ${escapeMarkdown(partial.reason)}`] : []),
    ...describeList(input).flatMap((note) => ['', escapeMarkdown(note)]),
    ...(input.unlinked
      ? ['', `Paths instead of permalinks: ${escapeMarkdown(input.unlinked)}.`]
      : []),
  ];
  return `${[...head, '', ...results.flatMap((result) => toItem(result, input))].join('\n').trimEnd()}\n`;
}

function describeReranking(reranking: Reranking): string {
  const done = getReranking(reranking);
  if (!done) return '';
  return `; ${done.count} of the first ${done.of} reranked by ${done.models.map(formatCodeSpan).join(', ')}`;
}

/** Formats a result as an unnumbered list item: Markdown would renumber a numbered list from its first number. */
function toItem(result: RankedChunk, input: ExportInput): string[] {
  const { marks, code: codes } = input;
  const { mark, note } = marks?.get(result.address) ?? {};
  const location = `[${formatCodeSpan(`${result.path}:${result.startLine}`)}](<${getUrl(result, input)}>)${formatCell(result)}`;
  const lines = [
    `- **${getRank(input, result) ?? '–'}.** ${formatCodeSpan(getShownName(result))} ${result.kind}, ${location}${mark ? ` — **${MARK_TITLES[mark]}**` : ''}`,
  ];
  const why = listReasons(result).map(escapeMarkdown).join(' · ');
  if (why) lines.push(`${INDENT}${why}`);
  const verdict = findVerdict(input.check, result);
  if (verdict) {
    const opinion = describeVerdict(verdict, getRank(input, result), formatCodeSpan);
    lines.push('', `${INDENT}Check: ${opinion}`);
  }
  const together = writeRelationClauses(result.related ?? [], indexRanks(input.response.results));
  if (together.length > 0)
    lines.push('', `${INDENT}Related: ${together.map(escapeMarkdown).join(' · ')}`);
  const link = input.deepLinks?.get(result.address);
  if (link) lines.push(`${INDENT}[Open in Locus](<${link}>)`);
  const quoted = note ? ['', ...['Note:', ...formatQuote(note)].map((line) => INDENT + line)] : [];
  const text = codes?.get(result.address);
  const block =
    text === undefined
      ? []
      : [
          '',
          ...formatCodeBlock(text, result.language).map((line) => (line ? INDENT + line : '')),
          '',
        ];
  // Concatenated rather than pushed: a file can have more lines than a call can take arguments.
  return [...lines, ...quoted, ...block];
}

const INDENT = '  ';

function getUrl({ address, path, startLine, endLine }: RankedChunk, input: ExportInput): string {
  const escaped = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return input.permalinks?.get(address) ?? `${escaped}#L${startLine}-L${endLine}`;
}
