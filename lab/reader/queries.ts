/**
 * Writes what search reads of issues, as a reader is asked with: `node lab/reader/queries.ts <lists> <out>`, folders of
 * JSON Lines whose lines have `issue` and `instance` or `id`; each becomes `{instance, title, text, code, trace}`.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { issueQuery } from '../../src/engine/issue/queries.ts';
import { present } from '../../src/shared/present.ts';

const [, , lists, out] = process.argv;
const from = present(lists, 'a folder of lists');
const to = present(out, 'a folder to write to');
mkdirSync(to, { recursive: true });
for (const name of readdirSync(from)) {
  const target = join(to, name);
  if (!name.endsWith('.jsonl') || existsSync(target)) continue;
  const lines = readFileSync(join(from, name), 'utf8').split('\n').filter(Boolean);
  const queries = lines.map((line) => {
    const { instance, id, issue } = JSON.parse(line);
    return JSON.stringify({
      instance: instance ?? id,
      ...issueQuery(readIssue(issue).sections).fields,
    });
  });
  writeFileSync(`${target}.tmp`, `${queries.join('\n')}\n`);
  renameSync(`${target}.tmp`, target);
}
