-- One engine for all windows, behind Neovim's own JSON-RPC client.

local M = {}

local rpc

-- What is called with the notifications of players, by their handles.
local players = {}

local function start(program)
  if vim.fn.executable(program) == 0 then
    error(('Reelwire: there is no program %s; see :help reelwire-setup'):format(program), 0)
  end
  local started
  local dispatchers = {
    on_exit = function()
      rpc = rpc ~= started and rpc or nil
    end,
    notification = function(method, params)
      local callback = params and players[params.player]
      if callback then
        callback(method, params)
      end
    end,
  }
  -- Since Neovim 0.10 the command is one list.
  if vim.fn.has('nvim-0.10') == 1 then
    started = vim.lsp.rpc.start({ program, 'serve' }, dispatchers)
  else
    started = vim.lsp.rpc.start(program, { 'serve' }, dispatchers)
  end
  return started
end

-- The callback gets the result, or nil and an error object. Of a request that was cancelled
-- Neovim reports nothing.
function M.ask(program, method, params, callback)
  rpc = rpc or start(program)
  if not rpc then
    return
  end
  rpc.request(method, params, function(failure, result)
    if failure == nil and result ~= nil and result.error ~= nil then
      failure = result.error
    end
    callback(failure == nil and result or nil, failure)
  end)
end

-- Has a callback hear of a player; without one no longer.
function M.hear(player, callback)
  players[player] = callback
end

function M.close(handle)
  players[handle] = nil
  if rpc then
    rpc.request('handle/close', { handle = handle }, function() end)
  end
end

-- Ends the engine, once it has cleaned up; the next request starts another one.
function M.stop()
  if rpc then
    rpc.notify('exit')
    rpc = nil
  end
end

return M
