/** Sends requests to a code host, and says what to do without its answer. */
import { JsonClient, type RequestLimits } from '../../base/json-client.ts';
import { createFetchError } from './failures.ts';

export class CodeHostClient extends JsonClient {
  constructor(limits: RequestLimits) {
    super({ ...limits, work: 'Fetching the issue', createError: createFetchError });
  }
}
