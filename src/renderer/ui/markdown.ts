import { visible } from '../../shared/visible.ts';

/** Text of a repository as a Markdown code span, in which nothing acts. */
export function code(text: string): string {
  return `\`${visible(text.slice(0, 500)).replaceAll('`', 'ˋ')}\``;
}
