-- The engine, led by Neovim's vim.lsp.rpc.

local HANG = 180000 * tonumber(vim.env.REELWIRE_PATIENCE or '1')

local Connection = {}
Connection.__index = Connection

local function launch()
  local self = setmetatable({ notifications = {} }, Connection)
  local dispatchers = {
    notification = function(method, params)
      table.insert(self.notifications, { method = method, params = params })
    end,
    on_error = function(kind, problem)
      self.problem = { kind, problem }
    end,
    on_exit = function(code, signal)
      self.ended = { code, signal }
    end,
  }
  local binary = vim.env.REELWIRE_BINARY
  -- Since Neovim 0.10 the command is one list.
  if vim.fn.has('nvim-0.10') == 1 then
    self.rpc = vim.lsp.rpc.start({ binary, 'serve' }, dispatchers)
  else
    self.rpc = vim.lsp.rpc.start(binary, { 'serve' }, dispatchers)
  end
  return self
end

function Connection:wait(done)
  local came = vim.wait(HANG, function()
    return self.problem ~= nil or done()
  end, 1)
  assert(self.problem == nil, vim.inspect(self.problem))
  assert(came, 'nothing came')
end

-- The result and the error, one of which is nil.
function Connection:ask(method, params)
  local answer
  assert(self.rpc.request(method, params, function(failure, result)
    answer = { failure = failure, result = result }
  end))
  self:wait(function()
    return answer ~= nil
  end)
  return answer.result, answer.failure
end

function Connection:call(method, params)
  local result, failure = self:ask(method, params)
  assert(failure == nil, vim.inspect(failure))
  return result
end

-- The params of the notifications up to the first of a method, which is the last one.
function Connection:till(method)
  local taken = {}
  while true do
    self:wait(function()
      return #self.notifications > 0
    end)
    local notification = table.remove(self.notifications, 1)
    table.insert(taken, notification.params)
    if notification.method == method then
      return taken
    end
  end
end

function Connection:open(variable)
  return self:call('asset/open', { url = vim.env[variable] }).asset
end

function Connection:close(...)
  for _, handle in ipairs({ ... }) do
    self:call('handle/close', { handle = handle })
  end
end

-- Nothing is held once pending ends have come, and the engine ends in good order.
function Connection:finish()
  local stats
  self:wait(function()
    stats = self:call('engine/stats', {})
    return stats.operations == 0
  end)
  assert(stats.leases == 0 and next(stats.handles) == nil, vim.inspect(stats))
  assert(#self:call('handle/list', vim.empty_dict()).handles == 0)
  assert(self:call('shutdown') == nil)
  assert(self.rpc.notify('exit'))
  self:wait(function()
    return self.ended ~= nil
  end)
  assert(vim.deep_equal(self.ended, { 0, 0 }), vim.inspect(self.ended))
end

local function file(name)
  return vim.env.REELWIRE_FOLDER .. '/' .. name
end

local function contents(path)
  local stream = assert(io.open(path, 'rb'))
  local bytes = stream:read('*a')
  stream:close()
  return bytes
end

local function equal(found, wanted)
  assert(vim.deep_equal(found, wanted), vim.inspect(found) .. ' is not ' .. vim.inspect(wanted))
end

local tests = {}

function tests.values_come_with_their_notification(connection)
  local asset = connection:open('REELWIRE_CLIP')
  local params = { asset = asset, keys = { 'duration', 'naturalSize' } }
  local operation = connection:call('asset/loadValues', params).operation
  local told = connection:till('asset/didLoadValues')[1]
  equal(told.operation, operation)
  local duration = told.values.duration.value
  equal(duration.value, 2 * duration.timescale)
  equal(told.values.naturalSize.value, { width = 160, height = 90 })
  connection:close(asset)
end

function tests.images_come_in_files(connection)
  local asset = connection:open('REELWIRE_CLIP')
  local generator = connection:call('imageGenerator/create', { asset = asset }).imageGenerator
  local params = { imageGenerator = generator, time = 0.5, format = 'png' }
  local blob = connection:call('imageGenerator/generateImage', params).image.blob
  equal(#blob.data, 4 * math.ceil(blob.size / 3))

  params = {
    imageGenerator = generator,
    times = { 0.5, { value = 1, timescale = 2 } },
    format = 'png',
    delivery = { kind = 'file', path = file('café-%d.png') },
  }
  connection:call('imageGenerator/generateImages', params)
  local told = connection:till('imageGenerator/didFinish')
  equal(#told, 3)
  equal(told[3].succeeded, 2)
  local bytes = contents(file('café-0.png'))
  equal(bytes:sub(1, 4), '\137PNG')
  equal(#bytes, blob.size)
  equal(contents(file('café-1.png')), bytes)
  connection:close(generator, asset)
end

function tests.an_export_tells_of_its_progress(connection)
  local asset = connection:open('REELWIRE_CLIP')
  local output = file('part.mp4')
  local params = { asset = asset, preset = 'MediumQuality', outputURL = output }
  local session = connection:call('exportSession/create', params).exportSession
  connection:call('exportSession/export', { exportSession = session, progressInterval = 0.001 })
  local told = connection:till('exportSession/didFinish')
  local finish = table.remove(told)
  assert(#told > 0)
  local last = 0
  for _, step in ipairs(told) do
    assert(step.progress >= last and step.progress <= 1)
    last = step.progress
  end
  equal({ finish.status, finish.outputURL }, { 'completed', output })
  equal(#contents(output), finish.fileSize)
  connection:close(session, asset)
end

function tests.a_request_is_cancelled(connection)
  local asset = connection:open('REELWIRE_LONG')
  local output = file('long.mp4')
  local params = { asset = asset, preset = 'HighestQuality', outputURL = output }
  local session = connection:call('exportSession/create', params).exportSession
  -- Neovim keeps the error of a cancelled request to itself, and reports only that there is an answer.
  local answered, called
  params = { exportSession = session, progressInterval = 0.001, completion = 'response' }
  local sent, id = connection.rpc.request('exportSession/export', params, function(failure)
    called = failure or {}
  end, function(answeredID)
    answered = answeredID
  end)
  assert(sent)
  connection:till('exportSession/didProgress')
  connection.rpc.notify('$/cancelRequest', { id = id })
  connection:wait(function()
    return answered ~= nil
  end)
  equal(answered, id)
  -- The request is answered at once; the export ends a little later.
  local status
  connection:wait(function()
    status = connection:call('exportSession/status', { exportSession = session }).status
    return status ~= 'exporting'
  end)
  equal({ status, called }, { 'cancelled' })
  equal(vim.fn.filereadable(output), 0)
  connection:close(session, asset)
end

function tests.errors_have_a_code_a_name_and_a_hint(connection)
  local params = { asset = 'asset:99', keys = { 'duration' } }
  local _, failure = connection:ask('asset/valueStatus', params)
  equal({ failure.code, failure.data.name }, { 1001, 'unknownHandle' })
  equal(type(failure.data.hint), 'string')

  local asset = connection:open('REELWIRE_BROKEN')
  connection:call('asset/loadValues', { asset = asset, keys = { 'duration' } })
  local state = connection:till('asset/didLoadValues')[1].values.duration
  equal({ state.status, state.error.data.name }, { 'failed', 'fileFormatNotRecognized' })
  equal(type(state.error.data.hint), 'string')
  connection:close(asset)
end

local failures = 0
for name, test in pairs(tests) do
  local connection = launch()
  local ok, problem = xpcall(function()
    test(connection)
    connection:finish()
  end, debug.traceback)
  if not ok then
    failures = failures + 1
  end
  io.stdout:write((ok and 'passed ' or 'FAILED '), name, ok and '' or '\n' .. problem, '\n')
end
io.stdout:write(('%d tests, %d failures\n'):format(vim.tbl_count(tests), failures))
vim.cmd(failures == 0 and 'qall!' or 'cquit!')
