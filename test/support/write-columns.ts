/** Writes an index's snapshot file again and again until it is killed: `node write-columns.ts <folder of the index>`. */
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { SnapshotFiles } from '../../src/engine/snapshot/snapshot-file.ts';
import { Store } from '../../src/engine/store/store.ts';
import { present } from '../../src/shared/present.ts';

const [folder = ''] = process.argv.slice(2);
const store = new Store(folder);
const id = store.snapshots.open(null);
const index = store.read(() => RepositoryIndex.load(store, id, 'none@0', 3));
const state = present(store.snapshots.getIdentity(id), 'the state of the snapshot');
const columns = { ...index.toColumns(), terms: store.terms.getAll(), embeddings: null };
process.send?.('writing');
for (;;) await new SnapshotFiles(folder, id).write(state, columns);
