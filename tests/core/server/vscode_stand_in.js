// Runs the extension with VS Code's own client library against a server, and prints what it shows, as JSON.
//
//     node vscode_stand_in.js EXTENSION PROGRAM TEXT
//
// VS Code itself is not here: what the library needs of it is stood in for, and every other member does nothing.
"use strict";

const Module = require("node:module");
const path = require("node:path");

const [folder, program, text] = process.argv.slice(2);

class Disposable {
  constructor(end) {
    this.dispose = end ?? (() => {});
  }
}
class EventEmitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = listener.bind(self);
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(value) {
    this.listeners.forEach((listener) => listener(value));
  }
  dispose() {}
}
class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(start, end, ...rest) {
    const [first, last] = rest.length ? [new Position(start, end), new Position(...rest)] : [start, end];
    Object.assign(this, { start: first, end: last });
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class CodeAction {
  constructor(title, kind) {
    Object.assign(this, { title, kind });
  }
}
class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
  static Empty = new CodeActionKind("");
  static QuickFix = new CodeActionKind("quickfix");
}
class WorkspaceEdit {
  changes = [];
  replace(_uri, range, newText) {
    this.changes.push({ range, newText });
  }
}
class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
  cancel() {}
  dispose() {}
}
class Uri {
  constructor(value) {
    this.value = value;
    this.scheme = value.split(":")[0];
    this.fsPath = this.path = value.slice(this.scheme.length + 1);
  }
  toString() {
    return this.value;
  }
  static parse(value) {
    return new Uri(value);
  }
}

// A member that is not stood in for: an event that never comes, a registration, or a class without members.
function filled(members) {
  return new Proxy(members, {
    get(target, name) {
      if (!(name in target) && typeof name === "string") {
        if (/^on(Did|Will)/.test(name)) target[name] = new EventEmitter().event;
        else if (/^(register|create)/.test(name)) target[name] = () => filled(new Disposable());
        else if (/^[A-Z]/.test(name)) target[name] = class {};
      }
      return target[name];
    },
  });
}

const changed = new EventEmitter();
const configured = new EventEmitter();
const settings = { path: program, kinds: ["framing"], sensitivity: 0, quotations: false, packs: null };
const document = {
  uri: Uri.parse("untitled:1"),
  fileName: "1",
  languageId: "markdown",
  version: 1,
  isClosed: false,
  isDirty: true,
  lineCount: text.split("\n").length,
  text,
  getText() {
    return this.text;
  },
};
const shown = new EventEmitter();
const failures = [];
let provider;
const registered = new Map();

const vscode = filled({
  Disposable,
  EventEmitter,
  Position,
  Range,
  Diagnostic,
  CodeAction,
  CodeActionKind,
  WorkspaceEdit,
  CancellationTokenSource,
  Uri,
  CancellationError: class extends Error {},
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  version: "1.82.0",
  env: filled({ appName: "stand-in", language: "en" }),
  commands: filled({
    registerCommand(name, run) {
      if (registered.has(name)) throw new Error(`${name} is registered twice`);
      registered.set(name, run);
      return new Disposable(() => registered.delete(name));
    },
  }),
  window: filled({
    visibleTextEditors: [],
    tabGroups: filled({ all: [] }),
    createOutputChannel: () => filled({ append() {}, appendLine() {}, show() {}, dispose() {} }),
    showErrorMessage: async (message) => void failures.push(message),
    showWarningMessage: async (message) => void failures.push(message),
  }),
  workspace: filled({
    textDocuments: [document],
    notebookDocuments: [],
    workspaceFolders: undefined,
    onDidChangeTextDocument: changed.event,
    onDidChangeConfiguration: configured.event,
    getConfiguration(section) {
      const all = section === "evenhand" ? settings : section === undefined ? { evenhand: settings } : {};
      return { get: (name, other) => all[name] ?? other, ...all };
    },
  }),
  languages: filled({
    match(selector, one) {
      const filters = [selector].flat();
      const fits = (filter) =>
        filter === one.languageId || (filter.language === one.languageId && filter.scheme === one.uri.scheme);
      return filters.some(fits) ? 10 : 0;
    },
    createDiagnosticCollection: () =>
      filled({ set: (_uri, found) => shown.fire(found ?? []), delete() {}, clear() {}, dispose() {} }),
    registerCodeActionsProvider(_selector, one) {
      provider = one;
      return new Disposable();
    },
  }),
});

const load = Module._load;
Module._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));

function until(condition) {
  return new Promise((resolve) => {
    const listening = shown.event((found) => {
      if (condition(found)) {
        listening.dispose();
        resolve(found);
      }
    });
  });
}

function words(found) {
  const lines = document.text.split("\n");
  return found.map((one) => lines[one.range.start.line].slice(one.range.start.character, one.range.end.character));
}

async function main() {
  const extension = require(path.join(folder, "extension.js"));
  const opened = until(() => true);
  await extension.activate({ subscriptions: [] });
  if (failures.length) {
    return { failures };
  }
  const seen = { opened: words(await opened) };

  const again = until((found) => found.length > seen.opened.length);
  settings.kinds = ["framing", "epistemological", "demographic"];
  configured.fire({ affectsConfiguration: (section) => "evenhand".startsWith(section) });
  let found = await again;
  seen.configured = words(found);

  const typed = until((one) => one.length < found.length);
  const range = new Range(0, 0, 0, document.text.split("\n")[0].length);
  document.version = 2;
  document.text = ["😀 It", ...document.text.split("\n").slice(1)].join("\n");
  const [rangeLength, added] = [range.end.character, "😀 It"];
  changed.fire({ document, contentChanges: [{ range, rangeOffset: 0, rangeLength, text: added }] });
  found = await typed;
  seen.typed = words(found);

  const context = { diagnostics: found, triggerKind: 1, only: undefined };
  const actions = await provider.provideCodeActions(document, found[0].range, context, new CancellationTokenSource().token);
  seen.actions = actions.map((one) => one.title);
  seen.edits = actions.flatMap((one) => one.edit?.changes ?? []).map((one) => one.newText);

  const ignored = until((one) => one.length < found.length);
  const ignore = actions.find((one) => one.title.startsWith("Ignore")).command;
  await registered.get(ignore.command)(...ignore.arguments);
  seen.ignored = words(await ignored);

  const restarted = until((one) => one.length === found.length);
  await registered.get("evenhand.restart")();
  seen.restarted = words(await restarted);
  await extension.deactivate();
  return { ...seen, failures };
}

main().then(
  (seen) => console.log(JSON.stringify(seen)),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
