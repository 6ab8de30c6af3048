/**
 * Writes what an encoder sees of real issues and of the code they were filed against, so that training can be
 * judged by them: `npm run -s training:issues -- --dataset <jsonl> --repos <folder of clones> --out <folder>`
 *
 * One `<owner>__<name>.jsonl` a repository. Its first lines are documents, as the engine gives them to encoders, each
 * content once: `{"path", "text", "signatureEnd", "doc", "callees"}`. Its last lines are issues:
 * `{"instance", "repo", "issue", "candidates", "edited"}`, the numbers being lines of documents from 0.
 */
import { hash } from 'node:crypto';
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
import { calleeSlots, encoderDocument } from '../../src/engine/snapshot/encoder-document.ts';
import type { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { Store } from '../../src/engine/store/store.ts';
import { cloneName, type Instance, parseDataset } from '../../src/services/evaluation/dataset.ts';
import { isCandidate } from '../../src/services/evaluation/evaluate.ts';
import { type Snapshot, snapshots } from '../ranker/samples.ts';

const { values } = parseArgs({
  options: {
    dataset: { type: 'string' },
    repos: { type: 'string' },
    out: { type: 'string' },
    'data-dir': { type: 'string' },
  },
});
if (!values.dataset || !values.repos || !values.out) {
  console.error(
    'usage: npm run -s training:issues -- --dataset <jsonl> --repos <folder of clones> --out <folder> [--data-dir <folder>]',
  );
  process.exit(2);
}
const { dataset, repos, out } = values;
const dataDir = values['data-dir'];

/** Writes a repository's file; it has its name when it is complete. */
async function write(file: string, ofRepo: readonly Instance[]): Promise<void> {
  const partial = `${file}.partial`;
  const output = openSync(partial, 'w');
  const documents = new Documents(output);
  const issues: object[] = [];
  for await (const snapshot of snapshots(ofRepo, { repos, dataDir })) {
    const store = new Store(snapshot.directory);
    try {
      issues.push(issueOf(snapshot, store, documents));
    } finally {
      store.close();
    }
    console.error(`${snapshot.instance.instance_id}: ${documents.count} documents so far`);
  }
  for (const issue of issues) writeSync(output, `${JSON.stringify(issue)}\n`);
  closeSync(output);
  renameSync(partial, file);
}

function issueOf({ instance, index, edited }: Snapshot, store: Store, documents: Documents) {
  const heads = new Map<number, string>();
  const slots = index.chunks.flatMap((chunk, slot) => (chunk && isCandidate(chunk) ? [slot] : []));
  const line = (slot: number) => documents.lineOf(store, index, slot, heads);
  return {
    instance: instance.instance_id,
    repo: instance.repo,
    issue: instance.problem_statement,
    candidates: slots.map(line),
    edited: edited.map(line),
  };
}

/** Documents of all snapshots of a repository, each written when it is first seen. */
class Documents {
  count = 0;
  readonly #output: number;
  readonly #byIds = new Map<string, number>();
  readonly #byContent = new Map<string, number>();

  constructor(output: number) {
    this.#output = output;
  }

  /** The line of a chunk's document. Chunk ids are those of file versions, so one id has one text. */
  lineOf(store: Store, index: RepositoryIndex, slot: number, heads: Map<number, string>): number {
    const ids = [slot, ...calleeSlots(index, slot)].map((known) => index.chunk(known).id).join();
    let line = this.#byIds.get(ids);
    if (line === undefined) {
      line = this.#lineOf(JSON.stringify(encoderDocument(store, index, slot, heads)));
      this.#byIds.set(ids, line);
    }
    return line;
  }

  #lineOf(document: string): number {
    const digest = hash('sha1', document);
    const known = this.#byContent.get(digest);
    if (known !== undefined) return known;
    writeSync(this.#output, `${document}\n`);
    this.#byContent.set(digest, this.count);
    return this.count++;
  }
}

mkdirSync(out, { recursive: true });
const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset);
for (const repo of new Set(instances.map((instance) => instance.repo))) {
  const file = join(out, `${cloneName(repo)}.jsonl`);
  const ofRepo = instances.filter((instance) => instance.repo === repo);
  if (!existsSync(join(repos, cloneName(repo))))
    console.error(`${repo}: no clone, ${ofRepo.length} issues left out`);
  else if (existsSync(file)) console.error(`${repo}: ${file} is there already`);
  else await write(file, ofRepo);
}
