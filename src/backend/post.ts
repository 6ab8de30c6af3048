/** Lists that a window posts to their issue. */
import { findGh, readTarget } from '../services/post/target.ts';
import type { EngineMethods, params } from '../shared/rpc/methods.ts';
import type { Handlers } from '../shared/rpc/server.ts';
import { gitPlaceOf } from './folders.ts';
import type { Connection, EngineSession } from './session.ts';

type PostMethod = Extract<keyof typeof params, `post.${string}`>;

/** Nothing leaves but by `post.run`, and that only to what the user was shown. */
export function postHandlers(
  session: EngineSession,
  connection: Connection,
): Pick<Handlers<typeof params, EngineMethods>, PostMethod> {
  return {
    'post.gh': () => findGh(process.env) !== null,
    'post.target': async ({ repository, issue }) => {
      const entry = session.entry(connection, repository);
      const place = 'members' in entry ? { root: null } : gitPlaceOf(entry);
      return session.posts.offer(await readTarget(issue, place));
    },
    'post.run': ({ ticket, text }) => session.posts.post(ticket, text),
  };
}
