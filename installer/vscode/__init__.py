"""The extension for VS Code: it starts ``evenhand lsp``. ``python -m installer.vscode OUT.vsix`` packs it."""
