/** Returns sources with a few random edits: bytes deleted, doubled, swapped or inserted. The same seed gives the same sources. */
export function* mutationsOf(source: string, count: number, seed: number): Generator<string> {
  let state = seed;
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let i = 0; i < count; i++) {
    const bytes = [...Buffer.from(source)];
    for (let edits = 1 + below(8); edits > 0; edits--) {
      const at = below(bytes.length);
      const length = 1 + below(below(4) === 0 ? 80 : 4);
      const part = bytes.slice(at, at + length);
      const kind = below(4);
      if (kind === 0) bytes.splice(at, length);
      else if (kind === 1) bytes.splice(at, 0, ...part);
      else if (kind === 2) bytes.splice(at, length, ...part.reverse());
      else bytes.splice(at, 0, ...Buffer.from(PIECES[below(PIECES.length)] ?? ''));
    }
    yield Buffer.from(bytes).toString('utf8');
  }
}

const PIECES = [
  ...['(', ')', '{', '}', '[', ']', '<', '>', '"', "'", '"""', '/*', '*/', '//', ';', ',', '@'],
  ...['#', '\\', '\n', '\r\n', '\t', '        ', '\0', '→', 'class ', '$'],
];
