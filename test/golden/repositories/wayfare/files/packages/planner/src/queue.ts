/** A binary heap: the least comes first. */
export class PriorityQueue<T> {
  private readonly heap: T[] = [];

  constructor(private readonly compare: (a: T, b: T) => number) {}

  get size(): number {
    return this.heap.length;
  }

  push(item: T): void {
    this.heap.push(item);
    this.up(this.heap.length - 1);
  }

  pop(): T | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (this.heap.length > 0 && last !== undefined) {
      this.heap[0] = last;
      this.down(0);
    }
    return first;
  }

  private up(at: number): void {
    const parent = (at - 1) >> 1;
    if (at === 0 || this.compare(this.heap[parent], this.heap[at]) <= 0) return;
    this.swap(at, parent);
    this.up(parent);
  }

  private down(at: number): void {
    const child = 2 * at + 1;
    if (child >= this.heap.length) return;
    if (this.compare(this.heap[child], this.heap[at]) < 0) {
      this.swap(at, child);
      this.down(child);
    }
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b], this.heap[a]];
  }
}
