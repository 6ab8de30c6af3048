import assert from 'node:assert/strict';
import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { createGraph, listEdges, parseGraphFiles } from '../graph/support.ts';

/** Fails unless a graph has the edges of a new one after each file was removed and added again. */
export async function assertFollowsEdits(sources: Record<string, string>): Promise<void> {
  const files = await parseGraphFiles(sources);
  const graph = createGraph(files);
  const known = new Map([...files.keys()].map((path) => [path, listEdges(graph, files, path)]));
  runToEnd(graph.takeAffected());
  for (const [path, file] of files) {
    for (const version of [null, file]) {
      graph.put(path, version);
      for (const affected of runToEnd(graph.takeAffected()))
        known.set(affected, listEdges(graph, files, affected));
      const rest = new Map([...files].filter(([other]) => version !== null || other !== path));
      const fresh = createGraph(rest);
      for (const other of rest.keys()) {
        const when = `${other} ${version ? 'with' : 'without'} ${path}`;
        assert.deepEqual(known.get(other), listEdges(fresh, rest, other), when);
      }
    }
  }
}
