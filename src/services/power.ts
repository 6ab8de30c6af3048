/** Where the machine has its power from. */

/** Whether it runs on its battery now; not where it has none, or does not say. */
export async function onBattery(): Promise<boolean> {
  try {
    const { battery } = await import('systeminformation');
    const { hasBattery, acConnected } = await battery();
    return hasBattery && !acConnected;
  } catch {
    return false;
  }
}
