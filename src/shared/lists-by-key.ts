/**
 * Adds a value to the list of a key. A new list is created with its first element, because V8 reserves room for one element then,
 * but for seventeen once an empty array grows. With many short lists, that would be most of the memory.
 */
export function appendTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Keeps only the values of a key's list that pass; deletes the key if its list becomes empty. */
export function filterList<K, V>(lists: Map<K, V[]>, key: K, passes: (value: V) => boolean): void {
  const remaining = lists.get(key)?.filter(passes) ?? [];
  if (remaining.length > 0) lists.set(key, remaining);
  else lists.delete(key);
}
