/** Double of the module `vscode`: the part that the extension uses. It records registrations and messages. */
import Module from 'node:module';

export interface Item {
  label: string;
  description?: string;
  command?: {
    command: string;
    arguments: [{ fsPath: string }, { selection: { start: { line: number } } }];
  };
}

interface Provider {
  getChildren(node?: unknown): Promise<unknown[]>;
  getTreeItem(node: unknown): Item;
}

export interface Setting {
  folder: string;
  settings: Record<string, unknown>;
  /** The text that is selected in the editor. */
  selection: string;
}

export function vscodeDouble({ folder, settings, selection }: Setting) {
  const commands = new Map<string, (...args: unknown[]) => Promise<unknown>>();
  const errors: string[] = [];
  const view: { description?: string; message?: string } = {};
  let provider: Provider | null = null;
  const workspaceFolder = { uri: { fsPath: folder } };

  class TreeItem {
    label: string;
    constructor(label: string) {
      this.label = label;
    }
  }
  class Range {
    start: unknown;
    constructor(start: unknown) {
      this.start = start;
    }
  }
  class Position {
    line: number;
    constructor(line: number) {
      this.line = line;
    }
  }
  const vscode = {
    TreeItem,
    Range,
    Position,
    ThemeIcon: class {},
    EventEmitter: class {
      event = () => {};
      fire() {}
    },
    TreeItemCollapsibleState: { None: 0, Collapsed: 1 },
    ProgressLocation: { Notification: 15 },
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    commands: {
      registerCommand: (id: string, run: () => Promise<unknown>) => {
        commands.set(id, run);
        return { dispose() {} };
      },
    },
    workspace: {
      workspaceFolders: [workspaceFolder],
      getWorkspaceFolder: () => workspaceFolder,
      getConfiguration: () => ({
        get: (name: string, otherwise: unknown) => settings[name] ?? otherwise,
      }),
    },
    env: { clipboard: { readText: async () => '' } },
    window: {
      activeTextEditor: {
        selection: {},
        document: { uri: { fsPath: `${folder}/cart.py` }, getText: () => selection },
      },
      createTreeView: (_id: string, options: { treeDataProvider: Provider }) => {
        provider = options.treeDataProvider;
        return Object.assign(view, { reveal: async () => {}, dispose() {} });
      },
      withProgress: (_: unknown, task: (progress: unknown, token: unknown) => Promise<unknown>) =>
        task({}, { onCancellationRequested() {} }),
      showErrorMessage: async (text: string) => void errors.push(text),
    },
  };

  return {
    commands,
    errors,
    view,
    get provider(): Provider {
      if (!provider) throw new Error('no tree was registered');
      return provider;
    },
    /** Loads a bundle in which `vscode` is this double, and activates it. */
    load(require: NodeJS.Require, bundle: string): void {
      const modules = Module as unknown as { _load(id: string, ...rest: unknown[]): unknown };
      const real = modules._load;
      modules._load = (id, ...rest) => (id === 'vscode' ? vscode : real(id, ...rest));
      try {
        delete require.cache[require.resolve(bundle)];
        require(bundle).activate({ subscriptions: [] });
      } finally {
        modules._load = real;
      }
    },
  };
}
