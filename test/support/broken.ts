/**
 * A source after one to four random edits: cut, insert, double, move or indent; sometimes only a part of it remains.
 * @param random uniform numbers in [0, 1).
 */
export function broken(text: string, inserts: readonly string[], random: () => number): string {
  const below = (n: number) => Math.floor(random() * n);
  let result = text;
  for (let edits = 1 + below(4); edits > 0; edits--) {
    const at = below(result.length + 1);
    const length = below(60);
    const [before, piece, after] = [
      result.slice(0, at),
      result.slice(at, at + length),
      result.slice(at + length),
    ];
    switch (below(6)) {
      case 0:
        result = before + after;
        break;
      case 1:
        result = before + inserts[below(inserts.length)] + piece + after;
        break;
      case 2:
        result = before + piece + piece + after;
        break;
      case 3:
        result = after + piece + before;
        break;
      case 4:
        result = before + piece.replaceAll('\n', `\n${' '.repeat(below(6))}`) + after;
        break;
      default:
        result = random() < 0.5 ? before : piece + after;
    }
  }
  return result;
}
