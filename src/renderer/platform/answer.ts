import { useEffect, useState } from 'react';
import { type Failure, isCancelled } from '../../shared/errors.ts';
import type { EngineMethods } from '../../shared/rpc/methods.ts';
import { engine } from './client.ts';

interface Answer<Result> {
  /** Undefined before the first one, and after a failure. It stays until the next one is there. */
  answer?: Result;
  failure?: Failure;
}

interface Options {
  /** Waits this long first, for parameters that are being typed. */
  afterMs?: number;
  /** Asks again whenever this changes. */
  again?: unknown;
  /** Has to be done before the engine is asked. */
  before?: () => Promise<void>;
}

/** Asks the engine, again whenever the parameters change; null asks nothing. `isCurrent`: true if nothing is awaited. */
export function useAnswer<Name extends keyof EngineMethods>(
  method: Name,
  params: EngineMethods[Name]['params'] | null,
  { afterMs = 0, again, before }: Options = {},
): Answer<EngineMethods[Name]['result']> & { isCurrent: boolean } {
  const asked = JSON.stringify([params, again]);
  const [state, setState] = useState<Answer<EngineMethods[Name]['result']> & { asked?: string }>(
    {},
  );
  useEffect(() => {
    const [params] = JSON.parse(asked);
    if (!params) return setState({});
    const controller = new AbortController();
    const ask = async () => {
      try {
        await before?.();
        setState({ asked, answer: await engine.call(method, params, controller) });
      } catch (failure) {
        if (!isCancelled(failure)) setState({ asked, failure: failure as Failure });
      }
    };
    const timer = setTimeout(ask, afterMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [method, asked, afterMs, before]);
  return { ...state, isCurrent: state.asked === asked };
}
