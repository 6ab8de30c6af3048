import { companionClauses, ranksOf } from '../../shared/companions.ts';
import { reasons } from '../../shared/evidence.ts';
import { MARK_TITLES } from '../../shared/marks.ts';
import type { RankedChunk, Refinement } from '../../shared/search.ts';
import { type ExportInput, rankOf, readOf } from './export-input.ts';
import { code, fenced, plain, quote } from './markdown-text.ts';

/** A page for an issue tracker or a review: the list, why each is there, and the code when it was asked for. */
export function toMarkdown(input: ExportInput): string {
  const { response, commit, createdAt } = input;
  const { repository, model, partial, results } = response;
  const at = commit
    ? ` at ${code(commit.slice(0, 12))}${repository.revision === null ? ' as it is on disk' : ''}`
    : '';
  const head = [
    `# Where to edit: ${code(response.issue.title)}`,
    '',
    `${results.length} of ${repository.chunks} functions, methods and classes of ${code(repository.name)}${at}, ranked by Locus (${code(model.id)}${readBy(response.refined)}${createdAt ? `, ${createdAt.slice(0, 10)}` : ''}).`,
    ...(partial ? ['', `**Partial:** ${plain(partial.reason)}`] : []),
    ...(input.unlinked ? ['', `Paths instead of permalinks: ${plain(input.unlinked)}.`] : []),
  ];
  return `${[...head, '', ...results.flatMap((result) => toItem(result, input))].join('\n').trimEnd()}\n`;
}

function readBy(refined: Refinement): string {
  const done = readOf(refined);
  if (!done) return '';
  return `; the first ${done.read} of ${done.of} read by ${done.models.map(code).join(', ')}`;
}

/** A point of a list that has no numbers of its own: a numbered one would count on from its first number. */
function toItem(result: RankedChunk, input: ExportInput): string[] {
  const { marks, code: codes } = input;
  const { mark, note } = marks?.get(result.address) ?? {};
  const place = `[${code(`${result.path}:${result.startLine}`)}](<${addressOf(result, input)}>)`;
  const lines = [
    `- **${rankOf(input, result) ?? '–'}.** ${code(result.qualifiedName)} ${result.kind}, ${place}${mark ? ` — **${MARK_TITLES[mark]}**` : ''}`,
  ];
  const why = reasons(result).map(plain).join(' · ');
  if (why) lines.push(`${INDENT}${why}`);
  const together = companionClauses(result.companions ?? [], ranksOf(input.response.results));
  if (together.length > 0)
    lines.push('', `${INDENT}Goes with it: ${together.map(plain).join(' · ')}`);
  const link = input.links?.get(result.address);
  if (link) lines.push(`${INDENT}[Open in Locus](<${link}>)`);
  const quoted = note ? ['', ...quote(note).map((line) => INDENT + line)] : [];
  const text = codes?.get(result.address);
  const block =
    text === undefined
      ? []
      : ['', ...fenced(text, result.language).map((line) => (line ? INDENT + line : '')), ''];
  // Concatenated rather than pushed: a call takes fewer arguments than a file has lines.
  return [...lines, ...quoted, ...block];
}

const INDENT = '  ';

function addressOf({ address, path, startLine, endLine }: RankedChunk, input: ExportInput): string {
  const escaped = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return input.permalinks?.get(address) ?? `${escaped}#L${startLine}-L${endLine}`;
}
