/** Shared parts of commands that write a file for each repository of a data set of issues. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type EvaluationInstance,
  getCloneName,
  parseDataset,
} from '../../src/services/evaluation/dataset.ts';

interface Options {
  dataset: string;
  /** Folder of clones. */
  repos: string;
  out: string;
  'data-dir'?: string;
  /** Maximum number of candidates in a list. */
  most?: string;
  /** Folder of existing lists. */
  lists?: string;
}

/** Parses the options. Prints the usage and ends the process if one is missing. */
export function readOptions(command: string): Options {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      dataset: option,
      repos: option,
      out: option,
      most: option,
      lists: option,
      'data-dir': option,
    },
  });
  const { dataset, repos, out, ...rest } = values;
  if (dataset && repos && out) return { dataset, repos, out, ...rest };
  console.error(
    `usage: npm run -s ${command} -- --dataset <jsonl> --repos <folder of clones> --out <folder> [--data-dir <folder>]`,
  );
  process.exit(2);
}

/**
 * Writes `<owner>__<name>.jsonl` for each repository that has a clone. A file has this name only when it is complete, and is not
 * written again. Reports and skips a repository that fails.
 * @param write writes the lines of a repository's issues, by passing each to `line`
 */
export async function writeByRepository(
  { dataset, repos, out }: Options,
  write: (
    instances: readonly EvaluationInstance[],
    line: (content: object) => void,
  ) => Promise<void>,
): Promise<void> {
  mkdirSync(out, { recursive: true });
  const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset);
  for (const [repo, ofRepo] of Map.groupBy(instances, (instance) => instance.repo)) {
    const file = join(out, `${getCloneName(repo)}.jsonl`);
    if (existsSync(file)) console.error(`${repo}: ${file} exists already`);
    else if (!existsSync(join(repos, getCloneName(repo))))
      console.error(`${repo}: no clone, ${ofRepo.length} issues skipped`);
    else await writeFile(file, repo, (line) => write(ofRepo, line));
  }
}

async function writeFile(
  file: string,
  repo: string,
  write: (line: (content: object) => void) => Promise<void>,
): Promise<void> {
  const partial = `${file}.partial`;
  const output = openSync(partial, 'w');
  try {
    await write((content) => writeSync(output, `${JSON.stringify(content)}\n`));
    renameSync(partial, file);
  } catch (error) {
    console.error(`${repo}: skipped, ${(error as Error).message}`);
  } finally {
    closeSync(output);
  }
}
