import { readLog } from '../base/log-files.ts';
import { currentBranch, listRevisions, tokenizeCode } from '../engine/index.ts';
import { findGh, readTarget } from '../services/post/target.ts';
import { isCustomEditor } from '../shared/editor-command.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import type { IssueSummary } from '../shared/issues.ts';
import { mapQueries, QUERY_NAMES, type QueryName } from '../shared/queries.ts';
import { type Answering, askQuery, type OpenedRepository } from '../shared/repository.ts';
import type { EngineMethods, params } from '../shared/rpc/methods.ts';
import type { Handlers } from '../shared/rpc/server.ts';
import { editorsHere, openInEditor } from './editor.ts';
import { fleetHandlers } from './fleet.ts';
import { ceilingOf, gitPlaceOf, listFolders, listRepositories } from './folders.ts';
import { issueLinkHandlers } from './issue-links.ts';
import { LatestOnly } from './latest-only.ts';
import { linkHandlers } from './links.ts';
import { exportList, importList } from './lists.ts';
import type { Connection, EngineSession, OpenedEntry, SeveralEntry } from './session.ts';
import { sharedIndexHandlers } from './shared-index.ts';
import { findWordRanges, snippetsOf } from './snippets.ts';
import { verifierHandlers } from './verifier.ts';

/** Entries of the log that a window shows. */
const MAX_LOG_LINES = 500;

/** What a window can ask, one short function a method; parameters are validated already. */
export function handlersFor(
  session: EngineSession,
  connection: Connection,
): Handlers<typeof params, EngineMethods> {
  const { settings, recent, issues, marks } = session;
  const entry = (id: string): OpenedEntry | SeveralEntry => session.entry(connection, id);
  const opened = (id: string) => entry(id).live.repository;
  const told = (issue: IssueSummary) => {
    session.changed(issues.get(issue.id).root, 'issues');
    return issue;
  };
  const saveIssue = (...[repository, issue, text, options]: Parameters<typeof issues.save>) =>
    told(connection.issues.save(entry(repository).root, issue, text, options));

  return mending(session, {
    'folders.list': ({ path }) => listFolders(path, connection.allowedRoot),

    'folders.repositories': ({ path }, cancelled) =>
      listRepositories(path, connection.allowedRoot, cancelled),

    'recent.list': () => recent.list(connection.allowedRoot),
    'recent.forget': ({ root }) => recent.forget(root),
    'recent.relocate': async ({ root, to }) => ({
      root: await session.relocate(connection, root, to),
    }),

    'repository.open': async ({ root, revision }) => {
      const described = await describe(session, await session.open(connection, root, revision));
      if (described.lastIssue) connection.issues.given(described.lastIssue);
      return described;
    },
    'repository.close': ({ repository }) => session.release(connection, repository),
    'repository.branch': ({ repository }, signal) => {
      const opened = entry(repository);
      if ('members' in opened || opened.revision !== undefined) return null;
      return currentBranch(opened.root, { within: opened.within, signal });
    },
    'repository.revisions': ({ repository, name }, signal) => {
      const opened = entry(repository);
      // Several have no history in common.
      if ('members' in opened) return null;
      return listRevisions(opened.root, { name, within: opened.within, signal });
    },
    'data.list': () => session.storedIndexes(),
    'data.clear': ({ index }) => session.clearIndex(index),
    'log.tail': () => readLog(session.dataDirectory, MAX_LOG_LINES),
    'index.pause': ({ repository }) => entry(repository).live.pause(),
    'index.resume': ({ repository }) => entry(repository).live.resume(),

    ...queryHandlers(opened),
    search: ({ repository, run, request }, cancelled) => {
      const { live, id } = entry(repository);
      const searches = connection.searches.get(id) ?? new LatestOnly();
      connection.searches.set(id, searches);
      live.readLater();
      return searches.run(async (superseded) =>
        (await live.repository).search(request, {
          signal: AbortSignal.any([cancelled, superseded]),
          onFirst: (response) => {
            if (run !== undefined) connection.served.emit('ranking', { run, response });
          },
        }),
      );
    },
    'chunks.snippets': async ({ repository, chunks }) =>
      snippetsOf(await opened(repository), chunks),
    'words.places': ({ text, words, path }) => findWordRanges(text, words, path),
    'code.tokens': ({ path, text }) => tokenizeCode(path, text),
    'editor.open': ({ repository, path, line }) => {
      const opened = entry(repository);
      const { revision } = opened;
      const place = 'members' in opened ? opened.live.locate(path) : { root: opened.root, path };
      return openInEditor({
        ...place,
        line,
        editor: pageEditor(settings.get().editor, revision),
      });
    },

    'editors.list': () => editorsHere(),

    'list.export': async (request) => {
      const repository = await opened(request.repository);
      const marked = request.issue ? await marks.list(request.issue, repository) : [];
      const from = entry(request.repository);
      const ceiling = 'members' in from ? undefined : ceilingOf(from.within);
      return exportList(repository, request, marked, ceiling);
    },
    'list.import': async ({ repository, name, text }) =>
      importList(await opened(repository), text, name),

    'issues.list': ({ repository, query, deleted, limit }) =>
      issues.list(entry(repository).root, query, deleted, limit),
    'issues.get': ({ issue }) => {
      const { root: _root, ...record } = issues.get(issue);
      issues.opened(issue);
      connection.issues.given(record);
      return record;
    },
    'issues.save': ({ repository, issue, text, ...options }) =>
      saveIssue(repository, issue, text, options),
    'issues.rename': ({ issue, name }) => told(issues.rename(issue, name)),
    'issues.pin': ({ issue, pinned }) => told(issues.pin(issue, pinned)),
    'issues.delete': ({ issue }) => void told(issues.delete(issue)),
    'issues.restore': ({ issue }) => told(issues.restore(issue)),

    'marks.list': async ({ repository, issue }) => marks.list(issue, await opened(repository)),
    'marks.set': async ({ repository, issue, save, marks: wanted }) => {
      const id = save ? saveIssue(repository, issue, save.text, save).id : issue;
      const missing = await marks.set(id, await opened(repository), wanted);
      session.changed(entry(repository).root, 'marks');
      return { missing, issue: id };
    },

    ...fleetHandlers(session, connection),
    ...issueLinkHandlers(session, connection),
    ...linkHandlers(session, connection),
    // Nothing is posted but by `post.run`, and that only to what the user was shown.
    'post.gh': () => findGh(process.env) !== null,
    'post.target': async ({ repository, issue }) => {
      const opened = entry(repository);
      const place = 'members' in opened ? { root: null } : gitPlaceOf(opened);
      return session.posts.offer(await readTarget(issue, place));
    },
    'post.run': ({ ticket, text }) => session.posts.post(ticket, text),
    ...sharedIndexHandlers(session, connection),

    ...verifierHandlers(session, connection),

    'settings.get': () => settings.get(),
    'settings.set': (change) => session.changeSettings(change),
  });
}

function queryHandlers(opened: (id: string) => Promise<Answering>) {
  type Handler = (
    params: { repository: string; request: object },
    signal: AbortSignal,
  ) => Promise<never>;
  return mapQueries<Pick<Handlers<typeof params, EngineMethods>, QueryName>>(
    QUERY_NAMES,
    (name): Handler =>
      async ({ repository, request }, signal) =>
        askQuery(await opened(repository), name, request, { signal }),
  );
}

/**
 * Handlers that run once more when damage kept them from answering and was mended. Every request has the same effect
 * twice as once.
 */
function mending<H extends Handlers<typeof params, EngineMethods>>(
  session: EngineSession,
  handlers: H,
): H {
  type Handler = (params: unknown, signal: AbortSignal) => unknown;
  const mended = (handler: Handler): Handler => {
    return async (wanted, signal) => {
      session.followDatabase();
      const before = session.mended;
      try {
        return await handler(wanted, signal);
      } catch (error) {
        const failedMeanwhile = session.mended > before && !(error instanceof LocusError);
        const again = (await session.mend(error)) || failedMeanwhile;
        if (!again || signal.aborted) throw error;
        return handler(wanted, signal);
      }
    };
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([method, handler]) => [method, mended(handler as Handler)]),
  ) as H;
}

/**
 * The setting, if a page may start that editor by itself. It could write any command into the settings, so one of the
 * user's own comes from the environment; the desktop app has a dialog for that instead.
 */
function pageEditor(editor: string, revision: string | undefined): string {
  if (revision !== undefined) {
    const text = 'this is a commit, whose files are not on disk as they are shown';
    throw badInput(text, 'open the folder instead');
  }
  if (!isCustomEditor(editor)) return editor;
  throw badInput(
    'a command of your own cannot be started from a browser',
    'choose a known editor in Settings, or set $VISUAL where locus serve is started',
  );
}

async function describe(
  session: EngineSession,
  entry: OpenedEntry | SeveralEntry,
): Promise<OpenedRepository> {
  const { id, root, name, live } = entry;
  const status = await (await live.repository).status();
  return {
    id,
    root,
    name,
    revision: status.revision,
    status,
    indexing: live.state,
    lastIssue: session.issues.last(root),
    ...('members' in entry && { members: entry.live.members }),
  };
}
