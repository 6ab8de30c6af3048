/** Lets a script measure its own work, without the start of its process, and print the result for the bench. */

export interface OwnMeasure {
  /** Seconds by the clock, and of processor time of all threads. */
  wall: number;
  cpu: number;
}

/** Runs work in this process and prints its `OwnMeasure` as JSON. */
export async function measureHere(work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const measured: OwnMeasure = {
    wall: (performance.now() - start) / 1000,
    cpu: (user + system) / 1e6,
  };
  console.log(JSON.stringify(measured));
}
