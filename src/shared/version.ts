import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
/** Name of the npm package. It is also the alias of the command `locus`. */
export const PACKAGE: string = manifest.name;
/** Address of the repository's page. */
export const REPOSITORY: string = manifest.repository;

/** Oldest supported major version of Node. Sources need type stripping, so the minimum is lower for a built package. */
export const MIN_NODE = Number.parseInt(manifest.engines.node.replace('>=', ''), 10);
