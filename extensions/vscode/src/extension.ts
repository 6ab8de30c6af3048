/** Registers the commands and the results view in VS Code. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { formatFailure } from '../../../src/shared/errors.ts';
import { LocusFailure, runLocusCommand } from './locus.ts';
import {
  buildNeighborArguments,
  buildSearchArguments,
  listChildren,
  type NodeLocation,
  parseNeighbors,
  parseResults,
  type ResultNode,
  type SearchResults,
} from './results.ts';

export function activate(context: vscode.ExtensionContext): void {
  const results = new Results();
  const view = vscode.window.createTreeView('locus.results', { treeDataProvider: results });
  const searcher = new Searcher(results, view);
  const register = (id: string, run: (...args: never[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(id, run));
  context.subscriptions.push(view);
  register('locus.locate', async () =>
    searcher.locate(getSelectedText() || (await promptForText())),
  );
  register('locus.locateSelection', () =>
    searcher.locate(getSelectedText(), 'No text is selected. Select the text of the issue'),
  );
  register('locus.locateClipboard', async () =>
    searcher.locate(
      await vscode.env.clipboard.readText(),
      'The clipboard is empty. Copy the text of the issue',
    ),
  );
  register('locus.refresh', () => searcher.repeat());
}

function getSelectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.document.getText(editor.selection) : '';
}

/** Asks for the text. VS Code has one-line fields only, so longer texts must be selected or copied. */
async function promptForText(): Promise<string> {
  const text = await vscode.window.showInputBox({
    title: 'Locus: Locate an Issue',
    prompt:
      'Text of the issue. For more than one line, select it in an editor, or copy it and run “Locate the Issue in the Clipboard”.',
    ignoreFocusOut: true,
  });
  return text ?? '';
}

/** Returns the workspace folder of the active file, else the first one. */
function chooseFolder(): vscode.WorkspaceFolder | undefined {
  const edited = vscode.window.activeTextEditor?.document.uri;
  const around = edited && vscode.workspace.getWorkspaceFolder(edited);
  return around ?? vscode.workspace.workspaceFolders?.[0];
}

interface Search {
  issue: string;
  folder: string;
}

class Searcher {
  readonly #results: Results;
  readonly #view: vscode.TreeView<ResultNode>;
  #last: Search | null = null;
  /** Controller of the newest search, which cancels earlier ones. */
  #running: AbortController | null = null;

  constructor(results: Results, view: vscode.TreeView<ResultNode>) {
    this.#results = results;
    this.#view = view;
  }

  /** Searches for an issue. @param missing error for an empty issue; without it, an empty issue means that the user cancelled */
  async locate(issue: string, missing?: string): Promise<void> {
    if (issue.trim() === '') {
      if (missing) vscode.window.showErrorMessage(`Locus: ${missing}.`);
      return;
    }
    const folder = chooseFolder();
    if (!folder) {
      vscode.window.showErrorMessage(
        'Locus: No folder is open. Open the folder of the repository.',
      );
      return;
    }
    await this.#search({ issue, folder: folder.uri.fsPath });
  }

  async repeat(): Promise<void> {
    if (this.#last) await this.#search(this.#last);
  }

  async #search(search: Search): Promise<void> {
    this.#running?.abort();
    const controller = new AbortController();
    this.#running = controller;
    this.#last = search;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: 'Locus is searching. The first search indexes the repository',
      cancellable: true,
    };
    try {
      await vscode.window.withProgress(options, async (_, cancelled) => {
        cancelled.onCancellationRequested(() => controller.abort());
        const text = await ask(search.folder, {
          args: buildSearchArguments(search.folder, settings().get('results', 20)),
          input: search.issue,
          signal: controller.signal,
        });
        if (this.#running === controller) this.#show(parseResults(text), search.folder);
      });
    } catch (error) {
      if (!controller.signal.aborted) await showFailure(error);
    }
  }

  #show(found: SearchResults, folder: string): void {
    this.#results.set(found, folder);
    this.#view.description = found.title;
    this.#view.message =
      found.results.length === 0
        ? 'No results for this issue.'
        : found.partial
          ? 'The repository is not fully indexed yet. Search again for the final order.'
          : '';
    const [first] = found.results;
    if (first) this.#view.reveal(first, { focus: true, select: true });
  }
}

/** Tree of the results. Below each result are its reasons, callers and callees. */
class Results implements vscode.TreeDataProvider<ResultNode> {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #found: SearchResults | null = null;
  #folder = '';

  set(found: SearchResults, folder: string): void {
    this.#found = found;
    this.#folder = folder;
    this.#changed.fire(undefined);
  }

  getParent(): undefined {
    return undefined; // Only results are revealed, and they are at the top level.
  }

  async getChildren(node?: ResultNode): Promise<ResultNode[]> {
    if (!node) return this.#found?.results ?? [];
    if (node.type === 'result') return listChildren(node);
    if (node.type !== 'calls') return [];
    try {
      const args = buildNeighborArguments(this.#folder, node.of, node.label);
      return parseNeighbors(await ask(this.#folder, { args }));
    } catch (error) {
      await showFailure(error);
      return [];
    }
  }

  getTreeItem(node: ResultNode): vscode.TreeItem {
    const { None, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(
      getLabel(node),
      node.type === 'result' || node.type === 'calls' ? Collapsed : None,
    );
    if (node.type === 'reason') item.iconPath = new vscode.ThemeIcon('info');
    if (node.type === 'calls')
      item.iconPath = new vscode.ThemeIcon(
        node.label === 'Callers' ? 'call-incoming' : 'call-outgoing',
      );
    if (node.type === 'result' || node.type === 'neighbor') this.#describe(item, node);
    return item;
  }

  #describe(item: vscode.TreeItem, place: NodeLocation): void {
    const { path, startLine, endLine, kind } = place;
    item.iconPath = new vscode.ThemeIcon(ICONS[kind]);
    item.description = `${path}:${startLine}`;
    item.tooltip = `${path}, lines ${startLine} to ${endLine}`;
    const start = new vscode.Position(startLine - 1, 0);
    item.command = {
      command: 'vscode.open',
      title: 'Open',
      arguments: [
        vscode.Uri.file(join(this.#folder, path)),
        {
          selection: new vscode.Range(start, start),
          preview: true,
        } satisfies vscode.TextDocumentShowOptions,
      ],
    };
  }
}

function getLabel(node: ResultNode): string {
  if (node.type === 'result') return `${node.rank === null ? '' : `${node.rank}. `}${node.label}`;
  return node.type === 'neighbor' && node.guess ? `${node.label} (guessed by name)` : node.label;
}

const ICONS: Record<NodeLocation['kind'], string> = {
  function: 'symbol-function',
  method: 'symbol-method',
  class: 'symbol-class',
  module: 'file-code',
  section: 'list-tree',
};

const settings = () => vscode.workspace.getConfiguration('locus');

function ask(
  cwd: string,
  options: { args: string[]; input?: string; signal?: AbortSignal },
): Promise<string> {
  return runLocusCommand({ program: settings().get('path', 'locus'), cwd, ...options });
}

async function showFailure(error: unknown): Promise<void> {
  if (!(error instanceof LocusFailure)) throw error;
  const choose = 'Open settings';
  const chosen = await vscode.window.showErrorMessage(
    `Locus: ${formatFailure(error)}`,
    ...(error.missing ? [choose] : []),
  );
  if (chosen === choose) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'locus.path');
  }
}
