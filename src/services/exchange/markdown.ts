import { reasons } from '../../shared/evidence.ts';
import { MARK_TITLES } from '../../shared/marks.ts';
import type { RankedChunk, Refinement } from '../../shared/search.ts';
import { visible, visibleLines } from '../../shared/visible.ts';
import { type ExportInput, readOf } from './export-input.ts';

/** A page for an issue tracker or a review: the list, why each is there, and the code when it was asked for. */
export function toMarkdown(input: ExportInput): string {
  const { response, commit, createdAt } = input;
  const { repository, model, partial, results } = response;
  const at = commit
    ? ` at ${code(commit.slice(0, 12))}${repository.revision === null ? ' as it is on disk' : ''}`
    : '';
  const head = [
    `# Where to edit: ${plain(response.issue.title)}`,
    '',
    `${results.length} of ${repository.chunks} functions, methods and classes of ${code(repository.name)}${at}, ranked by Locus (${code(model.id)}${readBy(response.refined)}${createdAt ? `, ${createdAt.slice(0, 10)}` : ''}).`,
    ...(partial ? ['', `**Partial:** ${plain(partial.reason)}`] : []),
  ];
  return `${[...head, '', ...results.flatMap((result) => toItem(result, input))].join('\n').trimEnd()}\n`;
}

function readBy(refined: Refinement): string {
  const done = readOf(refined);
  if (!done) return '';
  return `; the first ${done.read} of ${done.of} read by ${done.models.map(code).join(', ')}`;
}

function toItem(result: RankedChunk, { marks, code: codes }: ExportInput): string[] {
  const { mark, note } = marks?.get(result.address) ?? {};
  const indent = ' '.repeat(`${result.rank}. `.length);
  const link = `${result.path.toWellFormed().split('/').map(encodeURIComponent).join('/')}#L${result.startLine}-L${result.endLine}`;
  const lines = [
    `${result.rank}. ${code(result.qualifiedName)} ${result.kind}, [${plain(result.path)}:${result.startLine}](<${link}>)${mark ? ` — **${MARK_TITLES[mark]}**` : ''}`,
  ];
  const why = reasons(result).map(plain).join(' · ');
  if (why) lines.push(`${indent}${why}`);
  const quoted = note ? ['', ...quote(note).map((line) => indent + line)] : [];
  const text = codes?.get(result.address);
  const block =
    text === undefined
      ? []
      : ['', ...fenced(text, result).map((line) => (line ? indent + line : '')), ''];
  // Concatenated rather than pushed: a call takes fewer arguments than a file has lines.
  return [...lines, ...quoted, ...block];
}

/** Text as an inline code span, whatever backticks it holds. */
function code(text: string): string {
  const shown = visible(text);
  const longest = longestTicks(shown);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** The length of the longest run of backticks. */
function longestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Text with every character that Markdown or HTML would act on escaped; `code spans` of reasons stay. */
function plain(text: string): string {
  return visible(text)
    .split(/(`[^`]+`)/)
    .map((part, i) => (i % 2 ? part : part.replace(/[\\`*_[\]<>|#~&]/g, '\\$&')))
    .join('');
}

const quote = (text: string) =>
  visibleLines(text)
    .split('\n')
    .map((line) => `> ${plain(line)}`);

function fenced(text: string, { language }: RankedChunk): string[] {
  const shown = visibleLines(text).replace(/(?<!\n)\n+$/, '');
  const fence = '`'.repeat(Math.max(2, longestTicks(shown)) + 1);
  return [`${fence}${language}`, ...shown.split('\n'), fence];
}
