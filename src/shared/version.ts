import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** The oldest Node that this Locus runs on: its sources need types taken out, a package of it less. */
export const OLDEST_NODE = Number.parseInt(manifest.engines.node.replace('>=', ''), 10);
