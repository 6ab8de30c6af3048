import type { FileDetail } from '../../shared/detail.ts';
import { LocusError } from '../../shared/errors.ts';
import { summaryOf } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import { roleOf } from '../source/role.ts';
import type { Store } from '../store/store.ts';

/**
 * A whole file as it was indexed, whatever is on disk by now.
 * @throws LocusError `not-found` when it is not in the index.
 */
export function fileDetail(index: RepositoryIndex, store: Store, path: string): FileDetail {
  const file = index.file(path);
  if (!file) {
    throw new LocusError(
      'not-found',
      `${path} is not in the index`,
      'it may have been removed or left out; see the list of skipped files',
    );
  }
  const chunks = file.slots
    .map((slot) => summaryOf(index.chunks[slot]!))
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return { path, text: store.versions.content(file.versionId), role: roleOf(path), chunks };
}
