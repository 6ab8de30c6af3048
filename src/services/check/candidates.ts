/** Describes the best results of a list in a few lines each, for the language model. */
import type { FileDetail } from '../../shared/detail.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { nullIfMissing } from '../../shared/null-if-missing.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import type { IssueReport, RankedChunk, SearchedRepository } from '../../shared/search.ts';
import { writeExcerpt } from './excerpt.ts';

export interface CheckableRanking {
  repository: Pick<QueryTarget, 'show' | 'file'>;
  /** Folder of the repository, to which the consent to send code applies. */
  root: string;
  /** Repositories of a workspace, whose code each needs consent of its own; undefined for a single repository. */
  repositories?: readonly Pick<SearchedRepository, 'name' | 'root'>[] | undefined;
  issue: string;
  /** Results from rank 1. */
  results: readonly RankedChunk[];
  /** Ranks the chunks of the same list for another text, without reranking. */
  search(text: string, limit: number): Promise<readonly RankedChunk[]>;
  /** Frames of tracebacks in the issue. */
  frames: IssueReport['frames'];
}

export interface Candidate {
  chunk: RankedChunk;
  /** Its decisive lines; empty if it was removed since the search. */
  excerpt: string;
  /** Indexes of the candidates that it calls, and of those that it overrides. */
  calls: number[];
  overrides: number[];
}

/** Maximum number of relations of each kind that are mentioned. */
const MAX_RELATIONS = 4;

/**
 * Describes the first results.
 * @param lengths maximum number of characters of each excerpt
 */
export async function describeCandidates(
  repository: Pick<QueryTarget, 'show' | 'file'>,
  { results, frames }: Pick<CheckableRanking, 'results' | 'frames'>,
  lengths: readonly number[],
): Promise<Candidate[]> {
  const described = results.slice(0, lengths.length);
  const indexes = new Map(described.map(({ address }, index) => [address, index]));
  const find = (addresses: readonly RankedChunk['address'][]) =>
    [...new Set(addresses.flatMap((address) => indexes.get(address) ?? []))].slice(
      0,
      MAX_RELATIONS,
    );
  const mentioned = new Map(
    [...Map.groupBy(frames, ({ address }) => address)].map(([address, own]) => [
      address,
      own.map(({ line }) => line),
    ]),
  );
  const files = new Map<string, Promise<FileDetail | null>>();
  return Promise.all(
    described.map(async (chunk, index) => {
      const [file, detail] = await Promise.all([
        getOrAdd(files, chunk.path, () => nullIfMissing(repository.file({ path: chunk.path }))),
        nullIfMissing(repository.show({ chunk: chunk.address })),
      ]);
      const outlined = file?.chunks.find(({ address }) => address === chunk.address);
      const excerpt =
        file && outlined
          ? await writeExcerpt(
              file,
              outlined,
              { evidence: chunk.evidence, mentioned: mentioned.get(chunk.address) },
              lengths[index] ?? 0,
            )
          : '';
      const callees = detail?.callees.filter(({ callee }) => callee !== chunk.address) ?? [];
      const overridden = chunk.related?.filter(({ relation }) => relation === 'overridden') ?? [];
      return {
        chunk,
        excerpt,
        calls: find(callees.map(({ callee }) => callee)),
        overrides: find(overridden.map(({ address }) => address)),
      };
    }),
  );
}
