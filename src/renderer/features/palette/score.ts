/**
 * Returns how well a command matches the typed text, from 0 to 1. Each typed word must start a word of the title, group or
 * synonyms, or at least occur in the title or group. cmdk's own score also accepts letters scattered over a title, which
 * gives surprising matches.
 * @param texts title, group, synonyms.
 */
export function scoreCommand(
  _id: string,
  typed: string,
  [title = '', group = '', also = '']: string[] = [],
): number {
  const text = `${title} ${group}`.toLowerCase();
  const synonyms = ` ${also}`.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const scores = words.map((word) => {
    const at = ` ${text}`.indexOf(` ${word}`);
    if (at === 0) return 1;
    if (at > 0) return 0.8;
    if (synonyms.includes(` ${word}`)) return 0.6;
    return text.includes(word) ? 0.4 : 0;
  });
  return scores.length === 0 ? 1 : Math.min(...scores);
}
