import { getOrAdd } from '../../shared/get-or-add.ts';
import { Budget } from './budget.ts';
import { Evaluator } from './evaluator.ts';
import type { Definition } from './file-index.ts';
import { Reads } from './reads.ts';
import type { Lineage, World } from './world.ts';

/** A class that derives from more than this is generated; what is furthest is left out. */
const MOST_ANCESTORS = 512;
/** For the bases of one class, and for the order of all that it derives from. */
const BASES_STEPS = 10_000;
const LINEAGE_STEPS = 100_000;

interface Bases extends Omit<Lineage, 'order'> {
  known: readonly Definition[];
}

/** A class's line of bases; null where none is consistent. */
interface Order {
  line: readonly Definition[] | null;
  steps: number;
}

/** Who derives from whom. Valid for one state of the repository: `clear` it after every change. */
export class ClassHierarchy {
  readonly #world: World;
  readonly #bases = new Map<Definition, Bases>();
  /** What parts name, by the list of them: those of a partial type share one. */
  readonly #partsBases = new Map<readonly Definition[], Bases>();
  readonly #lineages = new Map<Definition, Lineage>();
  readonly #orders = new Map<Definition, Order>();

  constructor(world: World) {
    this.#world = world;
  }

  clear(): void {
    for (const map of [this.#bases, this.#partsBases, this.#lineages, this.#orders]) map.clear();
  }

  lineage(definition: Definition): Lineage {
    return getOrAdd(this.#lineages, definition, () => this.#derive(definition));
  }

  #derive(definition: Definition): Lineage {
    const budget = new Budget(LINEAGE_STEPS);
    const { ancestors, ...rest } = this.#ancestors(definition, budget);
    const order = budget.cut ? null : budget.attempt(() => this.#linearize(definition, budget));
    return {
      ...rest,
      order: order ?? ancestors,
      steps: budget.spent,
      cut: rest.cut || budget.cut,
    };
  }

  /** The class and its bases depth first, each once: what is left of an order where none is consistent. */
  #ancestors(definition: Definition, budget: Budget) {
    const found = new Set<Definition>();
    const reads = new Reads();
    let complete = true;
    let cut = false;
    const ahead = [definition];
    budget.attempt(() => {
      while (found.size < MOST_ANCESTORS) {
        const current = ahead.pop();
        if (!current) break;
        if (found.has(current)) continue;
        found.add(current);
        const bases = this.#basesOf(current);
        complete &&= bases.complete;
        cut ||= bases.cut;
        reads.include(bases.reads);
        ahead.push(...bases.known.toReversed());
        budget.spend(bases.steps + bases.known.length);
      }
    });
    budget.cut ||= ahead.some((one) => !found.has(one));
    return { ancestors: [...found], complete: complete && !budget.cut, reads, cut };
  }

  /** The C3 linearization (Barrett et al. 1996, as in Python); null for circles and inconsistent orders. */
  #linearize(definition: Definition, budget: Budget): readonly Definition[] | null {
    // Bases come before what derives from them: a class is on the stack again below its bases.
    const entered = new Set<Definition>();
    const done = new Set<Definition>();
    const stack = [definition];
    for (let current = stack.pop(); current; current = stack.pop()) {
      if (done.has(current)) continue;
      if (entered.has(current)) {
        done.add(current);
        budget.spend(this.#order(current).steps);
        continue;
      }
      entered.add(current);
      stack.push(current);
      for (const base of this.#basesOf(current).known) if (!entered.has(base)) stack.push(base);
    }
    return this.#order(definition).line;
  }

  /** The order of a class whose bases have theirs; one that has none yet derives from the class itself. */
  #order(definition: Definition): Order {
    return getOrAdd(this.#orders, definition, () => {
      const bases = this.#basesOf(definition).known;
      const lines = bases.map((base) => this.#orders.get(base)?.line);
      if (!lines.every((line) => line != null)) return { line: null, steps: 1 };
      const [only] = lines;
      if (only && lines.length === 1) return { line: [definition, ...only], steps: 1 };
      const { merged, steps } = merge([...lines, bases]);
      return { line: merged && [definition, ...merged], steps };
    });
  }

  #basesOf(definition: Definition): Bases {
    return getOrAdd(this.#bases, definition, () => this.#evaluateBases(definition));
  }

  /** The bases that a class names itself come before those that its parts elsewhere name. */
  #evaluateBases(definition: Definition): Bases {
    const reads = new Reads();
    reads.look(definition.file, definition.name);
    const parts = this.#world.namespaces.partsOf(definition, reads);
    const own = this.#namedBy([definition], definition, reads);
    if (parts.every((part) => part === definition)) return own;
    const apart = getOrAdd(this.#partsBases, parts, () => this.#namedBy(parts, null, new Reads()));
    reads.include(apart.reads);
    const known = new Set([...own.known, ...apart.known]);
    known.delete(definition);
    return {
      known: [...known],
      complete: own.complete && apart.complete,
      reads,
      steps: own.steps + apart.steps,
      cut: own.cut || apart.cut,
    };
  }

  /** The bases that parts of a class name; `self` is none. */
  #namedBy(parts: readonly Definition[], self: Definition | null, reads: Reads): Bases {
    const budget = new Budget(BASES_STEPS);
    // Bases are named in terms of modules and classes, not of inherited members: looking those up
    // would need the very lineages that are being established.
    const evaluator = new Evaluator(this.#world, null, reads, budget, (one) => ({
      order: [one],
      complete: false,
      reads: NO_READS,
      steps: 1,
      cut: false,
    }));
    const known = new Set<Definition>();
    let complete = true;
    const bases = parts.flatMap((part) => part.bases.map(({ chain }) => ({ part, chain })));
    budget.attempt(() => {
      for (const { part, chain } of bases) {
        if (chain.length === 1 && this.#world.rules.rootClasses.includes(chain[0] ?? '')) continue;
        const { file, parent } = part;
        const values = evaluator.chain(file, parent?.index ?? file.moduleScope, chain);
        let found = false;
        for (const value of values)
          if (value.kind === 'class' && !value.guess && value.definition !== self) {
            found = true;
            known.add(value.definition);
          }
        complete &&= found;
      }
    });
    const { spent: steps, cut } = budget;
    return { known: [...known], complete: complete && !cut, reads, steps, cut };
  }
}

const NO_READS = new Reads();

/** Merges lines so that each keeps its order; null when they contradict each other. */
function merge(lines: readonly (readonly Definition[])[]): {
  merged: Definition[] | null;
  steps: number;
} {
  let steps = 1;
  /** In how many lines a class still has others before it. */
  const behind = new Map<Definition, number>();
  for (const line of lines)
    for (const later of line.slice(1)) behind.set(later, (behind.get(later) ?? 0) + 1);
  const merged: Definition[] = [];
  const rests = lines.map((line) => ({ line, start: 0 }));
  for (;;) {
    let candidate: Definition | null = null;
    let left = false;
    for (const { line, start } of rests) {
      const head = line[start];
      steps++;
      if (!head) continue;
      left = true;
      if (behind.get(head)) continue;
      candidate = head;
      break;
    }
    if (!left) return { merged, steps };
    if (!candidate) return { merged: null, steps };
    merged.push(candidate);
    for (const rest of rests) {
      if (rest.line[rest.start] !== candidate) continue;
      rest.start++;
      const next = rest.line[rest.start];
      if (next) behind.set(next, (behind.get(next) ?? 0) - 1);
    }
  }
}
