import { present } from '../../shared/present.ts';
import { safeJson } from '../../shared/quoted.ts';
import { VERSION } from '../../shared/version.ts';
import { type ExportInput, rankOf, readOf } from './export-input.ts';
import { LIST_FORMAT, LIST_VERSION, type LocusList } from './list.ts';

/** The list format of `list.ts`, which `readList` reads back. Holds no absolute path. */
export function toJson(input: ExportInput): string {
  return `${safeJson(toList(input))}\n`;
}

export function toList(input: ExportInput): LocusList {
  const { response, issue, hashes, commit, marks, code, permalinks, links, createdAt } = input;
  const { repository, model } = response;
  return {
    format: LIST_FORMAT,
    version: LIST_VERSION,
    createdBy: { name: 'locus', version: VERSION },
    ...(createdAt && { createdAt }),
    repository: {
      name: repository.name,
      commit,
      workingTree: repository.revision === null,
      files: repository.files,
      chunks: repository.chunks,
    },
    issue: { title: response.issue.title, text: issue },
    model: { id: model.id, version: model.version, ranker: model.ranker },
    refined: readOf(response.refined),
    partial: response.partial !== null,
    chunks: response.results.map((result) => ({
      rank: rankOf(input, result),
      score: result.score,
      path: result.path,
      qualifiedName: result.qualifiedName,
      ordinal: result.ordinal,
      language: result.language,
      kind: result.kind,
      startLine: result.startLine,
      endLine: result.endLine,
      contentHash: present(hashes.get(result.address), `the content hash of ${result.address}`),
      // Places in the issue are for whoever has it open; the sentences quote them.
      evidence: Object.fromEntries(
        Object.entries(result.evidence).map(([signal, { spans: _, ...said }]) => [signal, said]),
      ),
      ...(result.read && { read: result.read }),
      ...marks?.get(result.address),
      // Where they are undefined, JSON leaves them out.
      code: code?.get(result.address),
      permalink: permalinks?.get(result.address),
      link: links?.get(result.address),
    })),
  };
}
