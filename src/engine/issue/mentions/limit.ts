/** Maximum number of mentions in an issue, and of mentions with the same text. Logs repeat the same mentions. */
const MAX_MENTIONS = 200_000;
const MAX_EACH = 20;

/** Collects the first mentions, and few of each text, to bound memory. */
export function limitMentions<Mention>(
  found: Iterable<Mention>,
  getText: (mention: Mention) => string,
): Mention[] {
  const kept: Mention[] = [];
  const counts = new Map<string, number>();
  for (const mention of found) {
    const text = getText(mention);
    const count = counts.get(text) ?? 0;
    if (count === MAX_EACH) continue;
    counts.set(text, count + 1);
    kept.push(mention);
    if (kept.length === MAX_MENTIONS) break;
  }
  return kept;
}
