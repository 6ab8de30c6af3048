/**
 * How well a command fits what was typed, 0 to 1: every word must begin one of its title or its group, or at least
 * stand in it. Letters strewn over a title, which cmdk's own measure accepts, surprise more than they help.
 */
export function scoreCommand(_id: string, typed: string, texts: string[] = []): number {
  const text = texts.join(' ').toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const scores = words.map((word) => {
    const at = ` ${text}`.indexOf(` ${word}`);
    if (at === 0) return 1;
    return at > 0 ? 0.8 : text.includes(word) ? 0.4 : 0;
  });
  return scores.length === 0 ? 1 : Math.min(...scores);
}
