import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { List } from './list.ts';

/** Yields the lists of a folder that `write.ts` wrote, by repository. Skips incomplete files. */
export function* readLists(folder: string): Generator<List> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  for (const file of files.sort()) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line) yield JSON.parse(line);
    }
  }
}
