import { useEffect, useState } from 'react';
import { type Failure, isCancelled } from '../../shared/errors.ts';
import type { EngineMethods } from '../../shared/rpc/methods.ts';
import { engine } from './client.ts';

interface Answer<Result> {
  /** Undefined before the first answer and after a failure. Kept until the next answer arrives. */
  answer?: Result;
  failure?: Failure;
}

interface Options {
  /** Delay before the request, for parameters that are being typed. */
  afterMs?: number;
  /** Value whose change repeats the request. */
  again?: unknown;
  /** Called and awaited before each request. */
  before?: () => Promise<void>;
}

/**
 * Sends a request to the engine, and again whenever the parameters change; null sends nothing. `isCurrent`: true if the answer
 * belongs to the present parameters.
 */
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
