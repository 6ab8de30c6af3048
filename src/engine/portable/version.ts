/** Version of portable snapshots. A snapshot can be imported only by a Locus with the same version. */
import { getHistoryReader } from '../history/read-commits.ts';
import { SCHEMA_VERSION } from '../store/schema.ts';

/** Version of the layout of parts. */
const FORMAT = 5;

/**
 * Version of everything that determines an index: the layout of parts, the schema of the store (which changes with the call
 * graph), and the parsers of all languages (which are part of the history reader's version).
 */
export const INDEX_FORMAT = `${FORMAT}.${SCHEMA_VERSION}.${getHistoryReader()}`;
