/**
 * Writes the texts of real issues and of the code they were filed against, as encoders get them, to measure trained
 * encoders: `npm run -s lab -- training-issues --dataset <jsonl> --repos <folder of clones> --out <folder>`
 *
 * Writes one `<owner>__<name>.jsonl` for each repository. Its first lines are documents, as the engine gives them to encoders,
 * each content once: `{"path", "text", "signatureEnd", "doc", "callees"}`. Its last lines are issues:
 * `{"instance", "repo", "issue", "candidates", "edited"}`. The numbers are lines of documents, from 0.
 */

import { hash } from 'node:crypto';
import {
  buildEncoderDocument,
  type EncoderDocument,
  getContextCallees,
  type RepositoryIndex,
  type Store,
} from '../../src/engine/lab.ts';
import { isCandidateChunk } from '../../src/services/evaluation/evaluate.ts';
import { readOptions, writeByRepository } from '../data/by-repository.ts';
import { type Snapshot, snapshots } from '../ranker/samples.ts';

function makeIssueLine({ instance, index, store, edited }: Snapshot, documents: Documents) {
  const heads = new Map<number, string>();
  const slots = [...index.chunks].flatMap((chunk, slot) =>
    chunk && isCandidateChunk(chunk) ? [slot] : [],
  );
  const line = (slot: number) => documents.lineOf(store, index, slot, heads);
  return {
    instance: instance.instance_id,
    repo: instance.repo,
    issue: instance.problem_statement,
    candidates: slots.map(line),
    edited: edited.map(line),
  };
}

/** Documents of all snapshots of a repository. Each is written when it first occurs. */
class Documents {
  count = 0;
  readonly #write: (content: object) => void;
  readonly #byIds = new Map<string, number>();
  readonly #byContent = new Map<string, number>();

  constructor(write: (content: object) => void) {
    this.#write = write;
  }

  /** Returns the line of a chunk's document. Chunk ids belong to file versions, so one id has one text. */
  lineOf(store: Store, index: RepositoryIndex, slot: number, heads: Map<number, string>): number {
    const ids = [slot, ...getContextCallees(index, slot)]
      .map((known) => index.getChunk(known).id)
      .join();
    let line = this.#byIds.get(ids);
    if (line === undefined) {
      line = this.#lineOf(buildEncoderDocument(store, index, slot, heads));
      this.#byIds.set(ids, line);
    }
    return line;
  }

  #lineOf(document: EncoderDocument): number {
    const digest = hash('sha1', JSON.stringify(document));
    const known = this.#byContent.get(digest);
    if (known !== undefined) return known;
    this.#write(document);
    this.#byContent.set(digest, this.count);
    return this.count++;
  }
}

const options = readOptions('training-issues');
const { repos, 'data-dir': dataDir } = options;

await writeByRepository(options, async (instances, line) => {
  const documents = new Documents(line);
  const issues: object[] = [];
  for await (const snapshot of snapshots(instances, { repos, dataDir })) {
    issues.push(makeIssueLine(snapshot, documents));
    console.error(`${snapshot.instance.instance_id}: ${documents.count} documents so far`);
  }
  for (const issue of issues) line(issue);
});
