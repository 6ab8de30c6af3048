import { Evaluator } from './evaluator.ts';
import type { Definition } from './file-index.ts';
import { Reads } from './reads.ts';
import type { World } from './world.ts';

/** A class and all it derives from. */
export interface Lineage {
  /** The class and its known bases in method resolution order. */
  order: readonly Definition[];
  /** False when a base lies outside the repository or could not be resolved. */
  complete: boolean;
  /** What the lineage was derived from. */
  reads: Reads;
}

interface Bases {
  known: Definition[];
  complete: boolean;
  reads: Reads;
}

/** Who derives from whom. Valid for one state of the repository: `clear` it after every change. */
export class ClassHierarchy {
  readonly #world: World;
  #bases = new Map<Definition, Bases>();
  #lineages = new Map<Definition, Lineage>();
  #orders = new Map<Definition, Definition[]>();

  constructor(world: World) {
    this.#world = world;
  }

  clear(): void {
    this.#bases = new Map();
    this.#lineages = new Map();
    this.#orders = new Map();
  }

  lineage(definition: Definition): Lineage {
    let lineage = this.#lineages.get(definition);
    if (!lineage) {
      const all = this.#ancestors(definition);
      const reads = new Reads();
      let complete = true;
      for (const ancestor of all) {
        const bases = this.#basesOf(ancestor);
        complete &&= bases.complete;
        reads.include(bases.reads);
        reads.files.add(ancestor.file.path);
        reads.names.add(ancestor.name);
      }
      lineage = { order: this.#linearize(definition, new Set()) ?? all, complete, reads };
      this.#lineages.set(definition, lineage);
    }
    return lineage;
  }

  /** The class and its bases depth first, each once: what is left of an order where none is consistent. */
  #ancestors(definition: Definition): Definition[] {
    const found = new Set<Definition>();
    const visit = (current: Definition) => {
      if (found.has(current)) return;
      found.add(current);
      for (const base of this.#basesOf(current).known) visit(base);
    };
    visit(definition);
    return [...found];
  }

  /** The C3 linearization (Barrett et al. 1996, as in Python); null for cycles and inconsistent orders. */
  #linearize(definition: Definition, below: Set<Definition>): Definition[] | null {
    const done = this.#orders.get(definition);
    if (done) return done;
    if (below.has(definition)) return null;
    below.add(definition);
    const bases = this.#basesOf(definition).known;
    const lines: Definition[][] = [];
    for (const base of bases) {
      const line = this.#linearize(base, below);
      if (!line) break;
      lines.push(line);
    }
    below.delete(definition);
    if (lines.length < bases.length) return null;
    const merged = merge([...lines, bases]);
    if (!merged) return null;
    const order = [definition, ...merged];
    this.#orders.set(definition, order);
    return order;
  }

  #basesOf(definition: Definition): Bases {
    let bases = this.#bases.get(definition);
    if (!bases) {
      bases = this.#evaluateBases(definition);
      this.#bases.set(definition, bases);
    }
    return bases;
  }

  #evaluateBases(definition: Definition): Bases {
    const { file, parent } = definition;
    const reads = new Reads();
    // Bases are named in terms of modules and classes, not of inherited members: looking those up
    // would need the very lineages that are being established.
    const evaluator = new Evaluator(this.#world, null, reads, (one) => ({
      order: [one],
      complete: false,
      reads,
    }));
    const known: Definition[] = [];
    let complete = true;
    for (const { chain } of definition.bases) {
      if (chain.length === 1 && this.#world.language.rootClasses.includes(chain[0]!)) continue;
      const values = evaluator.chain(file, parent?.index ?? file.moduleScope, chain);
      let found = false;
      for (const value of values)
        if (value.kind === 'class' && value.definition !== definition) {
          found = true;
          if (!known.includes(value.definition)) known.push(value.definition);
        }
      complete &&= found;
    }
    return { known, complete, reads };
  }
}

/** Merges lines so that each keeps its order; null when they contradict each other. */
function merge(lines: Definition[][]): Definition[] | null {
  const merged: Definition[] = [];
  const starts = lines.map(() => 0);
  for (;;) {
    let candidate: Definition | null = null;
    let left = false;
    for (let i = 0; i < lines.length && !candidate; i++) {
      const head = lines[i]![starts[i]!];
      if (!head) continue;
      left = true;
      const blocked = lines.some((line, j) => line.indexOf(head, starts[j]! + 1) >= 0);
      if (!blocked) candidate = head;
    }
    if (!left) return merged;
    if (!candidate) return null;
    merged.push(candidate);
    for (let i = 0; i < lines.length; i++) if (lines[i]![starts[i]!] === candidate) starts[i]!++;
  }
}
