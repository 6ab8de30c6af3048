/** Returns `count` vectors of length 1, the same for the same numbers. They cluster around a few centers, as embeddings do. */
export function unitVectors(count: number, dimensions: number): Float32Array[] {
  let seed = dimensions;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32 - 0.5;
  };
  const noise = () => Float32Array.from({ length: dimensions }, random);
  const centers = Array.from({ length: 20 }, noise);
  return Array.from({ length: count }, (_, i) => {
    const own = noise();
    const vector = centers[i % centers.length].map((value, d) => value + own[d]);
    const length = Math.sqrt(dot(vector, vector));
    return vector.map((value) => value / length);
  });
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
