import { companionClauses, ranksOf } from '../../shared/companions.ts';
import { reasons } from '../../shared/evidence.ts';
import { MARK_TITLES } from '../../shared/marks.ts';
import type { RankedChunk, Refinement } from '../../shared/search.ts';
import { type ExportInput, rankOf, readOf } from './export-input.ts';
import { code, fenced, plain, quote } from './markdown-text.ts';

/** Writes a page for an issue tracker or a review: the list, the reasons for each result, and the code if requested. */
export function toMarkdown(input: ExportInput): string {
  const { response, commit, createdAt } = input;
  const { repository, model, partial, results } = response;
  const at = commit
    ? ` at ${code(commit.slice(0, 12))}${repository.revision === null ? ' with the changes on disk' : ''}`
    : '';
  const head = [
    `# Where to edit: ${code(response.issue.title)}`,
    '',
    `${results.length} of ${repository.chunks} functions, methods and classes of ${code(repository.name)}${at}, ranked by Locus (${code(model.id)}${describeReranking(response.refined)}${createdAt ? `, ${createdAt.slice(0, 10)}` : ''}).`,
    ...(partial ? ['', `**Partial:** ${plain(partial.reason)}`] : []),
    ...(input.unlinked ? ['', `Paths instead of permalinks: ${plain(input.unlinked)}.`] : []),
  ];
  return `${[...head, '', ...results.flatMap((result) => toItem(result, input))].join('\n').trimEnd()}\n`;
}

function describeReranking(refined: Refinement): string {
  const done = readOf(refined);
  if (!done) return '';
  return `; ${done.read} of the first ${done.of} reranked by ${done.models.map(code).join(', ')}`;
}

/** Formats a result as an unnumbered list item: Markdown would renumber a numbered list from its first number. */
function toItem(result: RankedChunk, input: ExportInput): string[] {
  const { marks, code: codes } = input;
  const { mark, note } = marks?.get(result.address) ?? {};
  const location = `[${code(`${result.path}:${result.startLine}`)}](<${getUrl(result, input)}>)`;
  const lines = [
    `- **${rankOf(input, result) ?? '–'}.** ${code(result.qualifiedName)} ${result.kind}, ${location}${mark ? ` — **${MARK_TITLES[mark]}**` : ''}`,
  ];
  const why = reasons(result).map(plain).join(' · ');
  if (why) lines.push(`${INDENT}${why}`);
  const together = companionClauses(result.companions ?? [], ranksOf(input.response.results));
  if (together.length > 0) lines.push('', `${INDENT}Related: ${together.map(plain).join(' · ')}`);
  const link = input.links?.get(result.address);
  if (link) lines.push(`${INDENT}[Open in Locus](<${link}>)`);
  const quoted = note ? ['', ...quote(note).map((line) => INDENT + line)] : [];
  const text = codes?.get(result.address);
  const block =
    text === undefined
      ? []
      : ['', ...fenced(text, result.language).map((line) => (line ? INDENT + line : '')), ''];
  // Concatenated rather than pushed: a file can have more lines than a call can take arguments.
  return [...lines, ...quoted, ...block];
}

const INDENT = '  ';

function getUrl({ address, path, startLine, endLine }: RankedChunk, input: ExportInput): string {
  const escaped = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return input.permalinks?.get(address) ?? `${escaped}#L${startLine}-L${endLine}`;
}
