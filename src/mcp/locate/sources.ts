/** Reads the code of results, each file once. */
import type { FileDetail, OutlinedChunk } from '../../shared/detail.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { nullIfMissing } from '../../shared/null-if-missing.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import type { RankedChunk } from '../../shared/search.ts';

export interface ResultSource {
  file: FileDetail;
  chunk: OutlinedChunk;
}

export class ResultSources {
  readonly #repository: Pick<QueryTarget, 'file'>;
  readonly #files = new Map<string, Promise<FileDetail | null>>();

  constructor(repository: Pick<QueryTarget, 'file'>) {
    this.#repository = repository;
  }

  /** Returns the file and the outline of a result; null if it was removed since the search. */
  async find({ path, address }: RankedChunk): Promise<ResultSource | null> {
    const read = () => nullIfMissing(this.#repository.file({ path }));
    const file = await getOrAdd(this.#files, path, read);
    const chunk = file?.chunks.find((one) => one.address === address);
    return file && chunk ? { file, chunk } : null;
  }
}
