// Starts `evenhand lsp` and hands it the open drafts and the settings; all else is the language server's.
"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const LANGUAGES = ["markdown", "plaintext", "html", "wikitext"];
const SECTION = "evenhand";

let client;

function program() {
  return workspace.getConfiguration(SECTION).get("path") || "evenhand";
}

async function start() {
  const command = program();
  const started = new LanguageClient(
    SECTION,
    "Evenhand",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    {
      // Drafts only: what else is shown as plain text (output, other sides of a comparison) has other schemes.
      documentSelector: LANGUAGES.flatMap((language) => [
        { scheme: "file", language },
        { scheme: "untitled", language },
      ]),
      initializationOptions: () => workspace.getConfiguration(SECTION),
      synchronize: { configurationSection: SECTION },
    },
  );
  client = started;
  try {
    await started.start();
  } catch {
    client = undefined;
    window.showErrorMessage(
      `Evenhand cannot be started as "${command}". Set evenhand.path to the program, then run "Evenhand: Restart".`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.dispose();
  }
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("evenhand.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
