/**
 * Rejects when the event loop has nothing left to do. Who still waits then, waits for something that never comes; Node would
 * end with a code of its own and print nothing of the command.
 */
export function whenStuck(process: NodeJS.Process): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // A command that has ended leaves the loop empty too, and nobody to hear of it.
  promise.catch(() => {});
  process.once('beforeExit', () => reject(new Error('the command waits for what never comes')));
  return promise;
}
