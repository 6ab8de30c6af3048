/** What passes between a host and the engine's process, beside the texts of the windows' own protocol. */

/** From the host. A window that has a MessagePort of its own sends its texts through that. */
export type ToEngine =
  | { type: 'connect'; client: string; allowedRoot: string | null }
  | { type: 'message'; client: string; text: string }
  | { type: 'disconnect'; client: string }
  | { type: 'stop' };

/** To the host: a text for one of its windows. */
export interface FromEngine {
  client: string;
  text: string;
}
