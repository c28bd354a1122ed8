-- Runs Neovim's client against a language server, and prints what it shows, as JSON.
--
--     EVENHAND_COMMAND='["program", "lsp"]' nvim --headless -u NONE FILE -c 'luafile neovim_client.lua'
local PATIENCE_MS = 120000
local seen = {}
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({
  name = "evenhand",
  cmd = vim.fn.json_decode(vim.env.EVENHAND_COMMAND),
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(buffer, id)
local client = vim.lsp.get_client_by_id(id)

local function marked()
  local words = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    local lines = vim.api.nvim_buf_get_text(buffer, one.lnum, one.col, one.end_lnum, one.end_col, {})
    table.insert(words, table.concat(lines, "\n"))
  end
  return words
end

local function wait_until_marked(words)
  vim.wait(PATIENCE_MS, function()
    return vim.deep_equal(marked(), words)
  end, 20)
  return marked()
end

-- Where a word stands last.
local function place(word)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  for number = #lines, 1, -1 do
    local first, last = lines[number]:find(word, 1, true)
    if first then
      return { number, first - 1 }, { number, last }
    end
  end
end

local function ask(method, parameters)
  local answer = client.request_sync(method, parameters, PATIENCE_MS, buffer)
  return answer and answer.result
end

local function actions_for(word)
  local first, last = place(word)
  local parameters = vim.lsp.util.make_given_range_params(first, last, buffer, client.offset_encoding)
  parameters.context = { diagnostics = {} }
  return ask("textDocument/codeAction", parameters)
end

seen.opened = wait_until_marked({ "chairman", "reveals", "shameful", "disastrous" })

local first, _ = place("shameful")
vim.api.nvim_win_set_cursor(0, first)
local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, client.offset_encoding))
seen.hover = { hover.contents.value }

seen.actions, seen.edited = {}, {}
for _, action in ipairs(actions_for("shameful")) do
  table.insert(seen.actions, action.title)
  if #seen.edited == 0 and action.kind == "quickfix" then
    action = action.edit and action or ask("codeAction/resolve", action)
    if action.edit then
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
      local after = place("law.")
      seen.edited = vim.api.nvim_buf_get_lines(buffer, after[1] - 1, after[1], true)
    end
  end
end
seen.accepted = wait_until_marked({ "chairman", "reveals", "disastrous" })

first, last = place("chairman")
vim.api.nvim_buf_set_text(buffer, first[1] - 1, first[2], last[1] - 1, last[2], { "chair 😀" })
seen.typed = wait_until_marked({ "reveals", "disastrous" })

client.stop()
vim.wait(PATIENCE_MS, client.is_stopped, 20)
seen.stopped = { tostring(client.is_stopped()) }
io.stdout:write(vim.fn.json_encode(seen))
vim.cmd("qall!")
