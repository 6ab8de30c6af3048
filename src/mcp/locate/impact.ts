/** Answers what a diff may have missed, and which tests to run. */
import { containsDiff } from '../../base/unified-diff.ts';
import { formatCounted } from '../../shared/format-count.ts';
import type { EditedFunction, Impact, ImpactSuggestion, ImpactTest } from '../../shared/impact.ts';
import { escapeHidden, quoteText } from '../../shared/quote.ts';
import { CHARACTERS_PER_TOKEN, formatLocation, measureText, takeFitting } from '../answer.ts';

/** Maximum number of lines before a diff, such as a question about it. An issue that quotes a diff further down is an issue. */
const MAX_LINES_BEFORE = 5;
const FIRST_LINE = /^(?:diff |--- |Index: |@@ -)/;
/** Characters left for notes. */
const TAIL = 300;

/** Returns true if a text is a unified diff, after a few words at most. */
export function isDiff(text: string): boolean {
  const first = text.split('\n', MAX_LINES_BEFORE + 1);
  return first.some((line) => FIRST_LINE.test(line)) && containsDiff(text);
}

/** Formats the answer within a budget of tokens. Suggestions and tests at the end are left out first. */
export function formatImpact(
  { edited, suggestions, hidden, tests, hiddenTests, note }: Impact,
  tokens: number,
): string {
  const lists: [title: string, lines: string[], hidden: number][] = [
    [`${formatCounted(edited.length, 'function')} edited:`, edited.map(formatEdited), 0],
    ['may have to change, too:', suggestions.map(formatSuggestion), hidden],
    ['tests to run:', tests.map(formatTest), hiddenTests],
  ];
  let left = tokens * CHARACTERS_PER_TOKEN - TAIL;
  const shown = lists.flatMap(([title, lines, others], at) => {
    if (lines.length === 0) return [];
    const fitting = takeFitting(lines, measureText, left / (lists.length - at));
    left -= fitting.join('\n').length;
    const omitted = others + lines.length - fitting.length;
    const more = omitted > 0 ? [`  … ${omitted} more: use a larger limit or maxTokens`] : [];
    return [title, ...fitting.map((line) => `  ${line}`), ...more];
  });
  return [
    ...shown,
    ...(tests.length === 0 ? ['No test reaches them in the call graph.'] : []),
    ...(note === null ? [] : [`note: ${escapeHidden(note)}`]),
  ].join('\n');
}

function formatEdited({ path, qualifiedName, change, formerName, chunk }: EditedFunction): string {
  const line = chunk ? `:${chunk.startLine}` : '';
  const former = formerName === null ? '' : `, was ${quoteText(formerName)}`;
  return `${quoteText(`${path}::${qualifiedName}`)}${line}: ${change}${former}`;
}

function formatSuggestion(suggestion: ImpactSuggestion, at: number): string {
  const { path, name, kind, startLine, endLine } = formatLocation(suggestion);
  const reasons = suggestion.reasons.map(({ text, line }) => {
    return `${escapeHidden(text)}${line === null ? '' : ` (line ${line})`}`;
  });
  return `${at + 1}. ${quoteText(`${path}::${name}`)} (${kind}, ${startLine}-${endLine}): ${reasons.join('; ')}`;
}

function formatTest(test: ImpactTest): string {
  const { path, name, startLine } = formatLocation(test);
  const steps = test.distance > 1 ? `, ${test.distance} steps` : '';
  return `${quoteText(`${path}::${name}`)}:${startLine}${steps}${test.inDiff ? ', in the diff' : ''}`;
}
