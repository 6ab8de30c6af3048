/**
 * How well a command fits what was typed, 0 to 1: every word must begin one of its title, its group or its synonyms, or
 * at least stand in its title or group. Letters strewn over a title, which cmdk's own measure accepts, surprise more
 * than they help.
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
