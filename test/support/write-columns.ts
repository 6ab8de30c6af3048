/** Writes an index's snapshot file again and again until it is killed: `node write-columns.ts <folder of the index>`. */
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { SnapshotFiles } from '../../src/engine/snapshot/snapshot-file.ts';
import { Store } from '../../src/engine/store/store.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';

const [folder = ''] = process.argv.slice(2);
const store = new Store(folder);
const id = store.snapshots.open(null);
const index = store.read(() => RepositoryIndex.load(store, id, 'none@0', 3));
const state = assertPresent(store.snapshots.getIdentity(id), 'the state of the snapshot');
const columns = { ...index.toColumns(), terms: store.terms.getAll(), embeddings: null };
process.send?.('writing');
for (;;) await new SnapshotFiles(folder, id).write(state, columns);
