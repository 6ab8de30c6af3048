import type { Encoder } from './types.ts';

/** Milliseconds without work after which a model leaves memory. */
export const IDLE_MS = 5 * 60_000;

/** A model that is loaded when it is first needed, and unloaded when nobody has needed it for some minutes. */
export class OnDemandEncoder {
  readonly #load: () => Promise<Encoder>;
  readonly #idleMs: number;
  #loaded: Promise<Encoder> | null = null;
  #uses = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param load starts the encoder, see `createEncoder`; called again after it was unloaded, or failed to load. */
  constructor(load: () => Promise<Encoder>, idleMs = IDLE_MS) {
    this.#load = load;
    this.#idleMs = idleMs;
  }

  /**
   * Returns the model, which stays in memory until the use of it is disposed of.
   * @throws as `createEncoder`
   */
  async acquire(): Promise<{ encoder: Encoder } & Disposable> {
    clearTimeout(this.#timer);
    this.#uses++;
    try {
      return { encoder: await this.#get(), [Symbol.dispose]: () => this.#release() };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    this.#uses--;
    if (this.#uses > 0 || !this.#loaded) return;
    this.#timer = setTimeout(() => this.close(), this.#idleMs).unref();
  }

  /** Unloads the model. What is under way is rejected with `cancelled`. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const loaded = this.#loaded;
    this.#loaded = null;
    await loaded?.then(
      (encoder) => encoder.close(),
      () => {},
    );
  }

  async #get(): Promise<Encoder> {
    this.#loaded ??= this.#load();
    const loading = this.#loaded;
    try {
      return await loading;
    } catch (error) {
      if (this.#loaded === loading) this.#loaded = null;
      throw error;
    }
  }
}
