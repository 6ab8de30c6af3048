/** Messages between a host and the engine's process. They wrap the texts of the windows' protocol. */

/** Message from the host. A window with its own MessagePort sends its texts through that. */
export type ToEngine =
  | { type: 'connect'; client: string; allowedRoot: string | null }
  | { type: 'message'; client: string; text: string }
  | { type: 'disconnect'; client: string }
  | { type: 'stop' };

/** Message to the host: a text for one of its windows. */
export interface FromEngine {
  client: string;
  text: string;
}
