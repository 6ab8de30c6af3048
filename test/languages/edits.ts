import assert from 'node:assert/strict';
import { finish } from '../../src/engine/event-loop/stepwise.ts';
import { edgesOf, graphFiles, graphOf } from '../graph/support.ts';

/** Fails unless a graph has the edges of a new one after each file was removed and added again. */
export async function assertFollowsEdits(sources: Record<string, string>): Promise<void> {
  const files = await graphFiles(sources);
  const graph = graphOf(files);
  const known = new Map([...files.keys()].map((path) => [path, edgesOf(graph, files, path)]));
  finish(graph.affected());
  for (const [path, file] of files) {
    for (const version of [null, file]) {
      graph.put(path, version);
      for (const affected of finish(graph.affected()))
        known.set(affected, edgesOf(graph, files, affected));
      const rest = new Map([...files].filter(([other]) => version !== null || other !== path));
      const fresh = graphOf(rest);
      for (const other of rest.keys()) {
        const when = `${other} ${version ? 'with' : 'without'} ${path}`;
        assert.deepEqual(known.get(other), edgesOf(fresh, rest, other), when);
      }
    }
  }
}
