/** Puts a value into a map as the one that was used last, and takes out those that were used longest ago: `most` stay. */
export function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
