/** What has to be the same on both sides for a portable snapshot to be what would be made here. */
import { historyReader } from '../history/read-commits.ts';
import { SCHEMA_VERSION } from '../store/schema.ts';

/** Of the parts. */
const FORMAT = 2;

/**
 * Identifies what makes an index: the layout of parts, the schema of the store, which changes with the call graph, and the
 * parsers of all languages, which are in the reader of history.
 */
export const INDEX_FORMAT = `${FORMAT}.${SCHEMA_VERSION}.${historyReader()}`;
