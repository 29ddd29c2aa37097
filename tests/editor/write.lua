-- Opens a game, types, reads diagnostics and completions, and renames a zone in all files.
local function fail(message)
  io.stderr:write(message .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, is_so)
  if not vim.wait(120000, is_so, 20) then fail("waited in vain: " .. what) end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 120000) or {}
  for _, answer in pairs(answers) do
    if answer.err then fail(method .. ": " .. vim.inspect(answer.err)) end
    return answer.result
  end
  fail("no answer to " .. method)
end

local function messages()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do found[#found + 1] = one.message end
  return table.concat(found, "\n")
end

local ok, trouble = pcall(function()
  vim.cmd("edit " .. vim.env.GAME .. "/rules/play.rhai")
  wait("the server", function() return #vim.lsp.buf_get_clients(0) > 0 end)
  wait("its answer", function() return ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params() }) ~= nil end)

  -- Types a mistake, and undoes it.
  vim.fn.search("winner.points")
  vim.cmd("normal! wwcwpionts")
  wait("the mistake", function() return messages():find("points") ~= nil end)
  vim.cmd("undo")
  wait("that it is well", function() return messages() == "" end)

  -- Requests completions after a dot.
  vim.fn.search("card.move_to")
  vim.cmd("normal! Oseat.")
  vim.cmd("normal! $")
  local params = vim.lsp.util.make_position_params()
  params.position.character = #vim.api.nvim_get_current_line()
  local labels = {}
  for _, item in ipairs(ask("textDocument/completion", params).items) do labels[item.label] = item end
  for _, name in ipairs({ "hand", "played", "points", "number" }) do
    if not labels[name] then fail("`" .. name .. "` is not offered behind `seat.`") end
  end
  vim.cmd("undo")

  -- Renames a zone in all files.
  vim.fn.search("seat.hand")
  vim.cmd("normal! ww")
  params = vim.lsp.util.make_position_params()
  params.newName = "held"
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", params), "utf-16")
  vim.cmd("wall")
end)
if not ok then fail(tostring(trouble)) end
vim.cmd("qall!")
