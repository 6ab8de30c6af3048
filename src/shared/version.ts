import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** Oldest supported major version of Node. Sources need type stripping, so the minimum is lower for a built package. */
export const MIN_NODE = Number.parseInt(manifest.engines.node.replace('>=', ''), 10);
