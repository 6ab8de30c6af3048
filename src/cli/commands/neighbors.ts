import type { Command } from 'commander';
import { chunkQueryCommand } from '../chunk-query.ts';
import { renderNeighborhood } from '../neighborhood.ts';
import type { Run } from '../session.ts';

const EXAMPLES = `
Examples:
  locus neighbors . parse_cookie                     who calls it, what it calls
  locus neighbors . parse_cookie --callers --depth 3
  locus neighbors . src/app.py::App.run --callees --json

An edge marked ? was chosen only because its name is unique in the repository.`;

interface NeighborsOptions {
  depth: number;
  limit: number;
  callers?: boolean;
  callees?: boolean;
}

export function neighborsCommand(run: Run): Command {
  return chunkQueryCommand<'neighbors', NeighborsOptions>(run, 'neighbors', {
    examples: EXAMPLES,
    numbers: {
      depth: { flags: '--depth <steps>', text: 'steps from the function' },
      limit: { flags: '-n, --limit <count>', text: 'functions at most, the nearest stay' },
    },
    switches: { '--callers': 'only what calls it', '--callees': 'only what it calls' },
    toRequest: ({ depth, limit, ...sides }) => {
      return { depth, limit, direction: directionOf(sides) };
    },
    render: renderNeighborhood,
  });
}

function directionOf({
  callers,
  callees,
}: Pick<NeighborsOptions, 'callers' | 'callees'>): 'callers' | 'callees' | 'both' {
  if (callers === callees) return 'both';
  return callers ? 'callers' : 'callees';
}
