/**
 * Entry of the MCP Registry. It names the npm package, whose `mcpName` proves that it belongs to the entry.
 * https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
import { NAMES } from '../names.ts';
import { getTarball, type ManifestFiles, PRODUCT, type Release } from './release.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Returns `server.json`. @throws MissingArtifactError if the npm package was not made */
export function createRegistryEntry(release: Release): ManifestFiles {
  const { version, description } = release;
  getTarball(release, NAMES.npm);
  const entry = {
    $schema: SCHEMA,
    name: NAMES.mcpServer,
    title: PRODUCT,
    description,
    version,
    websiteUrl: NAMES.homepage,
    repository: { url: NAMES.repository, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: NAMES.npm,
        version,
        runtimeHint: 'npx',
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        transport: { type: 'stdio' },
      },
    ],
  };
  return { 'server.json': `${JSON.stringify(entry, null, 2)}\n` };
}
