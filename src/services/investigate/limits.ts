/** Limits of an investigation: tool calls, time, and the patience of the user. */
import type { Endpoint } from '../../shared/check-endpoint.ts';
import { cancelled } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import type { InvestigationSettings } from '../../shared/investigate.ts';
import { EndpointFailure, explainTimeout } from '../check/client.ts';

/** Aborts `signal` when the user cancels, or when the time or the tool calls are used up. The reason is the error to report. */
export class Limits implements Disposable {
  readonly #controller = new AbortController();
  readonly #endpoint: Endpoint;
  readonly #settings: InvestigationSettings;
  readonly #timer: NodeJS.Timeout;
  readonly #user: AbortSignal;

  constructor(
    endpoint: Endpoint,
    { settings, signal }: { settings: InvestigationSettings; signal: AbortSignal },
  ) {
    this.#endpoint = endpoint;
    this.#settings = settings;
    this.#user = signal;
    const milliseconds = settings.seconds * 1000;
    this.#timer = setTimeout(
      () => this.#stop(explainTimeout(endpoint, milliseconds)),
      milliseconds,
    );
    signal.addEventListener('abort', this.#cancel, { once: true });
    if (signal.aborted) this.#cancel();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  countCall(count: number): void {
    const { toolCalls } = this.#settings;
    if (count <= toolCalls) return;
    this.#stop(
      new EndpointFailure(
        `${this.#endpoint.host} made more than ${formatCounted(toolCalls, 'tool call')}.`,
        'Allow more tool calls, or use another agent.',
      ),
    );
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#user.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = () => this.#stop(cancelled('The investigation'));
  #stop(reason: Error): void {
    this.#controller.abort(reason);
  }
}
