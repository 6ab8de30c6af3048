import { readLog } from '../base/log-files.ts';
import { getCurrentBranch, listRevisions, tokenizeCode } from '../engine/index.ts';
import { findGh, parsePostTarget } from '../services/post/target.ts';
import { isCustomEditor } from '../shared/editor-command.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import type { IssueSummary } from '../shared/issues.ts';
import { mapQueries, QUERY_NAMES, type QueryName } from '../shared/queries.ts';
import { type OpenedRepository, type QueryTarget, runQuery } from '../shared/repository.ts';
import type { EngineMethods, params } from '../shared/rpc/methods.ts';
import type { Handlers } from '../shared/rpc/server.ts';
import { createCheckHandlers } from './check.ts';
import { createLinkHandlers } from './deep-links.ts';
import { listEditors, openInEditor } from './editor.ts';
import { createFleetHandlers } from './fleet.ts';
import { getGitCeiling, listFolders, listRepositories, toGitFolder } from './folders.ts';
import { createInvestigationHandlers } from './investigate.ts';
import { createIssueUrlHandlers } from './issue-urls.ts';
import { LatestOnly } from './latest-only.ts';
import { exportList, importList } from './lists.ts';
import type { Connection, EngineSession, OpenedEntry, WorkspaceEntry } from './session.ts';
import { createSharedIndexHandlers } from './shared-index.ts';
import { findWordRanges, makeSnippets } from './snippets.ts';
import { createUpdateHandlers } from './updates.ts';

/** Maximum number of log entries in a window. */
const MAX_LOG_LINES = 500;

/** Creates the handlers of all methods that a window can call. Their parameters are already validated. */
export function createHandlers(
  session: EngineSession,
  connection: Connection,
): Handlers<typeof params, EngineMethods> {
  const { settings, recent, issues, marks } = session;
  const entry = (id: string): OpenedEntry | WorkspaceEntry => session.getEntry(connection, id);
  const opened = (id: string) => entry(id).live.repository;
  const announce = (issue: IssueSummary) => {
    session.notifyChanged(issues.get(issue.id).root, 'issues');
    return issue;
  };
  const saveIssue = (...[repository, issue, text, options]: Parameters<typeof issues.save>) =>
    announce(connection.issues.save(entry(repository).root, issue, text, options));

  return withRecovery(session, {
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
      if (described.lastIssue) connection.issues.remember(described.lastIssue);
      return described;
    },
    'repository.close': ({ repository }) => session.release(connection, repository),
    'repository.branch': ({ repository }, signal) => {
      const opened = entry(repository);
      if ('members' in opened || opened.revision !== undefined) return null;
      return getCurrentBranch(opened.root, { within: opened.within, signal });
    },
    'repository.revisions': ({ repository, name }, signal) => {
      const opened = entry(repository);
      // The members of a workspace have no common history.
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
      live.postponeEmbedding();
      return searches.run(async (superseded) =>
        (await live.repository).search(request, {
          signal: AbortSignal.any([cancelled, superseded]),
          onInitial: (response) => {
            if (run !== undefined) connection.served.emit('ranking', { run, response });
          },
          onProgress: ({ done: count }) => {
            if (run !== undefined) connection.served.emit('reranking', { run, count });
          },
        }),
      );
    },
    'chunks.snippets': async ({ repository, chunks }) =>
      makeSnippets(await opened(repository), chunks),
    'words.ranges': ({ text, words, path }) => findWordRanges(text, words, path),
    'code.tokens': ({ path, text }) => tokenizeCode(path, text),
    'editor.open': ({ repository, path, line }) => {
      const opened = entry(repository);
      const { revision } = opened;
      const file = 'members' in opened ? opened.live.locate(path) : { root: opened.root, path };
      return openInEditor({
        ...file,
        line,
        editor: checkEditor(settings.get().editor, revision),
      });
    },

    'editors.list': () => listEditors(),

    'list.export': async (request) => {
      const repository = await opened(request.repository);
      const marked = request.issue ? await marks.list(request.issue, repository) : [];
      const from = entry(request.repository);
      const ceiling = 'members' in from ? undefined : getGitCeiling(from.within);
      return exportList(repository, connection.exportSearch, request, marked, ceiling);
    },
    'list.import': async ({ repository, name, text }) =>
      importList(await opened(repository), text, name),

    'issues.list': ({ repository, query, deleted, limit }) =>
      issues.list(entry(repository).root, query, deleted, limit),
    'issues.get': ({ issue }) => {
      const { root: _root, ...record } = issues.get(issue);
      issues.setOpened(issue);
      connection.issues.remember(record);
      return record;
    },
    'issues.save': ({ repository, issue, text, ...options }) =>
      saveIssue(repository, issue, text, options),
    'issues.rename': ({ issue, name }) => announce(issues.rename(issue, name)),
    'issues.pin': ({ issue, pinned }) => announce(issues.pin(issue, pinned)),
    'issues.delete': ({ issue }) => void announce(issues.delete(issue)),
    'issues.restore': ({ issue }) => announce(issues.restore(issue)),

    'marks.list': async ({ repository, issue }) => marks.list(issue, await opened(repository)),
    'marks.set': async ({ repository, issue, save, marks: wanted }) => {
      const id = save ? saveIssue(repository, issue, save.text, save).id : issue;
      const missing = await marks.set(id, await opened(repository), wanted);
      session.notifyChanged(entry(repository).root, 'marks');
      return { missing, issue: id };
    },

    ...createFleetHandlers(session, connection),
    ...createIssueUrlHandlers(session, connection),
    ...createLinkHandlers(session, connection),
    // Only `post.run` posts, and only to an issue that the user was shown.
    'post.gh': () => findGh(process.env) !== null,
    'post.target': async ({ repository, issue }) => {
      const opened = entry(repository);
      const source = 'members' in opened ? { root: null } : toGitFolder(opened);
      return session.posts.offer(await parsePostTarget(issue, source));
    },
    'post.run': ({ ticket, text }) => session.posts.post(ticket, text),
    ...createSharedIndexHandlers(session, connection),
    ...createUpdateHandlers(),

    ...createCheckHandlers(session, connection),
    ...createInvestigationHandlers(session, connection),

    'settings.get': () => settings.get(),
    'settings.set': (change) => session.changeSettings(change),
  });
}

function queryHandlers(opened: (id: string) => Promise<QueryTarget>) {
  type Handler = (
    params: { repository: string; request: object },
    signal: AbortSignal,
  ) => Promise<never>;
  return mapQueries<Pick<Handlers<typeof params, EngineMethods>, QueryName>>(
    QUERY_NAMES,
    (name): Handler =>
      async ({ repository, request }, signal) =>
        runQuery(await opened(repository), name, request, { signal }),
  );
}

/**
 * Wraps handlers so that they run once more after damage made them fail and was repaired. This is safe, because every
 * request is idempotent.
 */
function withRecovery<H extends Handlers<typeof params, EngineMethods>>(
  session: EngineSession,
  handlers: H,
): H {
  type Handler = (params: unknown, signal: AbortSignal) => unknown;
  const wrap = (handler: Handler): Handler => {
    return async (params, signal) => {
      session.reopenReplacedDatabase();
      const before = session.repairs;
      try {
        return await handler(params, signal);
      } catch (error) {
        const failedMeanwhile = session.repairs > before && !(error instanceof LocusError);
        const canRetry = (await session.repair(error)) || failedMeanwhile;
        if (!canRetry || signal.aborted) throw error;
        return handler(params, signal);
      }
    };
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([method, handler]) => [method, wrap(handler as Handler)]),
  ) as H;
}

/**
 * Returns the editor of the setting if a page may start it. A page could write any command into the settings, so custom
 * commands are accepted from the environment only. The desktop app asks in a dialog instead.
 */
function checkEditor(editor: string, revision: string | undefined): string {
  if (revision !== undefined) {
    throw badInput(
      'The file of a commit cannot be opened: it is not on disk.',
      'Open the folder instead.',
    );
  }
  if (!isCustomEditor(editor)) return editor;
  throw badInput(
    'A custom editor command cannot be started from a browser.',
    'Choose an editor from the list in Settings, or set $VISUAL where locus serve is started.',
  );
}

async function describe(
  session: EngineSession,
  entry: OpenedEntry | WorkspaceEntry,
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
    lastIssue: session.issues.getLast(root),
    ...('members' in entry && { members: entry.live.members }),
  };
}
