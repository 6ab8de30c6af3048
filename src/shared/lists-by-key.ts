/**
 * Adds to the list of a key. A list that is made of its first element has room for that; one that is made empty gets room for
 * seventeen, which is most of the memory of many short lists.
 */
export function appendTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Leaves of a key's list what passes; a key whose list becomes empty goes. */
export function filterOf<K, V>(lists: Map<K, V[]>, key: K, passes: (value: V) => boolean): void {
  const left = lists.get(key)?.filter(passes) ?? [];
  if (left.length > 0) lists.set(key, left);
  else lists.delete(key);
}
