/**
 * How much of a model's context a text takes. There is no tokenizer of every agent's model here, so tokens are estimated: one
 * for every `CHARACTERS_A_TOKEN` UTF-16 units, which for code is rather too many than too few.
 */

const CHARACTERS_A_TOKEN = 3.5;

/** Estimated tokens of a text. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}

/** The first lines of a text that fit into so many tokens, and how many lines were left out. */
export function firstLines(text: string, tokens: number): { text: string; left: number } {
  if (tokensOf(text) <= tokens) return { text, left: 0 };
  const lines = text.replace(/\n$/, '').split('\n');
  let room = Math.floor(tokens * CHARACTERS_A_TOKEN);
  let kept = 0;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept++;
  }
  return { text: lines.slice(0, kept).join('\n'), left: lines.length - kept };
}

/** A text of one line cut to so many UTF-16 units, with an ellipsis where something is missing. */
export function cut(text: string, length: number): string {
  // Not between the halves of a character.
  return text.length <= length
    ? text
    : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
