import { getOrAdd } from '../../shared/get-or-add.ts';
import { Evaluator } from './evaluator.ts';
import type { GraphDefinition } from './file-index.ts';
import type { GraphState, Lineage } from './graph-state.ts';
import { ReadSet } from './read-set.ts';
import { StepBudget } from './step-budget.ts';

/** A class with more ancestors is generated code; the farthest ancestors are left out. */
const MAX_ANCESTORS = 512;
/** Step budgets: for finding the bases of one class, and for ordering all its ancestors. */
const MAX_BASES_STEPS = 10_000;
const MAX_LINEAGE_STEPS = 100_000;

interface Bases extends Omit<Lineage, 'order'> {
  known: readonly GraphDefinition[];
}

/** A class's method resolution order; `line` is null if no order is consistent. */
interface Order {
  line: readonly GraphDefinition[] | null;
  steps: number;
}

/** Base classes and method resolution orders. Valid for one state of the repository: `clear` it after every change. */
export class ClassHierarchy {
  readonly #world: GraphState;
  readonly #bases = new Map<GraphDefinition, Bases>();
  /** Bases that the parts of a type name, by the list of parts; all parts of a partial type share one list. */
  readonly #partsBases = new Map<readonly GraphDefinition[], Bases>();
  readonly #lineages = new Map<GraphDefinition, Lineage>();
  readonly #orders = new Map<GraphDefinition, Order>();

  constructor(world: GraphState) {
    this.#world = world;
  }

  clear(): void {
    for (const map of [this.#bases, this.#partsBases, this.#lineages, this.#orders]) map.clear();
  }

  getLineage(definition: GraphDefinition): Lineage {
    return getOrAdd(this.#lineages, definition, () => this.#computeLineage(definition));
  }

  #computeLineage(definition: GraphDefinition): Lineage {
    const budget = new StepBudget(MAX_LINEAGE_STEPS);
    const { ancestors, ...rest } = this.#collectAncestors(definition, budget);
    const order = budget.cut ? null : budget.attempt(() => this.#linearize(definition, budget));
    return {
      ...rest,
      order: order ?? ancestors,
      steps: budget.spent,
      cut: rest.cut || budget.cut,
    };
  }

  /** Returns a class and all its bases depth first, each once: the fallback if no consistent order exists. */
  #collectAncestors(definition: GraphDefinition, budget: StepBudget) {
    const found = new Set<GraphDefinition>();
    const reads = new ReadSet();
    let complete = true;
    let cut = false;
    const stack = [definition];
    budget.attempt(() => {
      while (found.size < MAX_ANCESTORS) {
        const current = stack.pop();
        if (!current) break;
        if (found.has(current)) continue;
        found.add(current);
        const bases = this.#getBases(current);
        complete &&= bases.complete;
        cut ||= bases.cut;
        reads.include(bases.reads);
        stack.push(...bases.known.toReversed());
        budget.spend(bases.steps + bases.known.length);
      }
    });
    budget.cut ||= stack.some((one) => !found.has(one));
    return { ancestors: [...found], complete: complete && !budget.cut, reads, cut };
  }

  /** Computes the C3 linearization (Barrett et al. 1996, as in Python); null for cycles and inconsistent orders. */
  #linearize(definition: GraphDefinition, budget: StepBudget): readonly GraphDefinition[] | null {
    // Bases are ordered before derived classes: a class is pushed again, below its bases.
    const entered = new Set<GraphDefinition>();
    const done = new Set<GraphDefinition>();
    const stack = [definition];
    for (let current = stack.pop(); current; current = stack.pop()) {
      if (done.has(current)) continue;
      if (entered.has(current)) {
        done.add(current);
        budget.spend(this.#getOrder(current).steps);
        continue;
      }
      entered.add(current);
      stack.push(current);
      for (const base of this.#getBases(current).known) if (!entered.has(base)) stack.push(base);
    }
    return this.#getOrder(definition).line;
  }

  /** Returns the order of a class whose bases are ordered already. A base without an order is part of a cycle. */
  #getOrder(definition: GraphDefinition): Order {
    return getOrAdd(this.#orders, definition, () => {
      const bases = this.#getBases(definition).known;
      const lines = bases.map((base) => this.#orders.get(base)?.line);
      if (!lines.every((line) => line != null)) return { line: null, steps: 1 };
      const [only] = lines;
      if (only && lines.length === 1) return { line: [definition, ...only], steps: 1 };
      const { merged, steps } = mergeOrders([...lines, bases]);
      return { line: merged && [definition, ...merged], steps };
    });
  }

  #getBases(definition: GraphDefinition): Bases {
    return getOrAdd(this.#bases, definition, () => this.#evaluateBases(definition));
  }

  /** Lists the bases that a class names itself, then those that its other parts name. */
  #evaluateBases(definition: GraphDefinition): Bases {
    const reads = new ReadSet();
    reads.addLookup(definition.file, definition.name);
    const parts = this.#world.namespaces.findParts(definition, reads);
    const own = this.#evaluateNamedBases([definition], definition, reads);
    if (parts.every((part) => part === definition)) return own;
    const fromParts = getOrAdd(this.#partsBases, parts, () =>
      this.#evaluateNamedBases(parts, null, new ReadSet()),
    );
    reads.include(fromParts.reads);
    const known = new Set([...own.known, ...fromParts.known]);
    known.delete(definition);
    return {
      known: [...known],
      complete: own.complete && fromParts.complete,
      reads,
      steps: own.steps + fromParts.steps,
      cut: own.cut || fromParts.cut,
    };
  }

  /** Evaluates the bases that parts of a class name. Leaves out `self`. */
  #evaluateNamedBases(
    parts: readonly GraphDefinition[],
    self: GraphDefinition | null,
    reads: ReadSet,
  ): Bases {
    const budget = new StepBudget(MAX_BASES_STEPS);
    // Bases are named by modules and classes, not by inherited members: looking those up would need the lineages that
    // are computed here.
    const evaluator = new Evaluator(this.#world, null, reads, budget, (one) => ({
      order: [one],
      complete: false,
      reads: NO_READS,
      steps: 1,
      cut: false,
    }));
    const known = new Set<GraphDefinition>();
    let complete = true;
    const bases = parts.flatMap((part) => part.bases.map(({ chain }) => ({ part, chain })));
    budget.attempt(() => {
      for (const { part, chain } of bases) {
        if (chain.length === 1 && this.#world.rules.rootClasses.includes(chain[0] ?? '')) continue;
        const { file, parent } = part;
        const values = evaluator.evaluateChain(file, parent?.index ?? file.moduleScope, chain);
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

const NO_READS = new ReadSet();

/** Merges orders so that each is kept; `merged` is null if they contradict each other. */
function mergeOrders(lines: readonly (readonly GraphDefinition[])[]): {
  merged: GraphDefinition[] | null;
  steps: number;
} {
  let steps = 1;
  /** Number of orders in which a class still has others before it. */
  const behind = new Map<GraphDefinition, number>();
  for (const line of lines)
    for (const later of line.slice(1)) behind.set(later, (behind.get(later) ?? 0) + 1);
  const merged: GraphDefinition[] = [];
  const rests = lines.map((line) => ({ line, start: 0 }));
  for (;;) {
    let candidate: GraphDefinition | null = null;
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
