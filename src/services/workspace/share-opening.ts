import { DamagedIndex } from '../../base/damage.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';

type Task<Resource> = (resource: Resource) => Promise<void>;

/** Queries that share one opening. */
interface Batch<Resource> {
  tasks: Task<Resource>[];
  /** Settles once all have been answered and the resource is closed. */
  done: Promise<void>;
}

/**
 * Returns a function that runs queries on resources which are opened one at a time. Queries of one resource that are asked at once, or
 * while another resource is open, share one opening.
 * @param open opens a resource while the task runs. If the task throws `DamagedIndex`, it may run the task again
 */
export function shareOpening<Resource>(
  open: (name: string, task: Task<Resource>) => Promise<void>,
): <T>(name: string, query: (resource: Resource) => Promise<T>) => Promise<T> {
  const queue = new SerialQueue();
  const waiting = new Map<string, Batch<Resource>>();
  const begin = (name: string): Batch<Resource> => {
    const tasks: Task<Resource>[] = [];
    const done = queue.add(() => {
      waiting.delete(name);
      return open(name, async (resource) => {
        await Promise.all(tasks.map((task) => task(resource)));
      });
    });
    return { tasks, done };
  };
  return async <T>(name: string, query: (resource: Resource) => Promise<T>) => {
    const { tasks, done } = getOrAdd(waiting, name, () => begin(name));
    let answer: Promise<T> | undefined;
    tasks.push(async (resource) => {
      answer = query(resource);
      await answer.catch((error) => {
        // Whoever asked gets other errors below.
        if (error instanceof DamagedIndex) throw error;
      });
    });
    await done;
    return assertPresent(answer, 'the answer of a query');
  };
}
