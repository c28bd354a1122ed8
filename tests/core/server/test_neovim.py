"""Protects the language server in Neovim, with its own client: diagnostics stand on the right words while one types."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.editor,
    pytest.mark.skipif(
        shutil.which("nvim") is None, reason="Neovim is not installed (apt-get install neovim)"
    ),
]

_SCRIPT = """
local function words()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    local line = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1]
    table.insert(found, string.sub(line, one.col + 1, one.end_col))
  end
  return found
end
local function shown(count)
  vim.wait(60000, function() return #vim.diagnostic.get(0) == count end, 50)
  return words()
end
vim.bo.filetype = "markdown"
local id = vim.lsp.start_client({ name = "evenhand", cmd = vim.fn.json_decode(vim.env.SERVER_COMMAND) })
vim.lsp.buf_attach_client(0, id)
local before = shown(2)
vim.api.nvim_buf_set_text(0, 0, 0, 0, 0, { "😀 Mankind said.", "", "" })
local after = shown(3)
vim.fn.writefile({ vim.fn.json_encode({ before, after }) }, vim.env.ANSWER)
vim.cmd("qa!")
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_neovim_shows_the_right_words(command: list[str], tmp_path: Path, line_end: str) -> None:
    script, draft, answer = tmp_path / "test.lua", tmp_path / "draft.md", tmp_path / "answer.json"
    script.write_text(_SCRIPT, encoding="utf-8")
    lines = ["שלום 😀 the chairman said.", "", "`shameful` 😀😀 is a *shameful* record.", ""]
    draft.write_bytes(line_end.join(lines).encode())
    subprocess.run(
        ["nvim", "--headless", "--clean", str(draft), "-c", f"luafile {script}"],
        env=os.environ | {"SERVER_COMMAND": json.dumps([*command, "lsp"]), "ANSWER": str(answer)},
        timeout=200,
        check=True,
        capture_output=True,
    )
    before, after = json.loads(answer.read_text(encoding="utf-8"))
    assert sorted(before) == ["chairman", "shameful"]
    assert sorted(after) == ["Mankind", "chairman", "shameful"]
