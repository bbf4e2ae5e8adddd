-- A floating window with what is in a media file: tracks, tags, a filmstrip and a waveform.

local draw = require('reelwire.draw')
local engine = require('reelwire.engine')

local M = {}

M.config = {
  program = 'reelwire', -- a name to look for, or a path
  border = 'rounded',
}

local ORDER = { 'heading', 'player', 'tracks', 'filmstrip', 'waveform', 'tags', 'problem' }

function M.setup(options)
  M.config = vim.tbl_extend('force', M.config, options or {})
end

local Window = {}
Window.__index = Window

function Window:show(part, lines)
  if self.closed then
    return
  end
  self.parts[part] = lines
  local text = {}
  for _, name in ipairs(ORDER) do
    if self.parts[name] and #self.parts[name] > 0 then
      table.insert(text, table.concat(self.parts[name], '\r\n'))
    end
  end
  -- The screen, what has scrolled away, and the place of the cursor are those of an empty terminal.
  vim.api.nvim_chan_send(self.terminal, '\27[2J\27[3J\27[H' .. table.concat(text, '\r\n\r\n'))
end

function Window:ask(method, params, callback, late)
  engine.ask(M.config.program, method, params, function(result, failure)
    if self.closed then
      return result and late and late(result)
    elseif failure then
      return self:show('problem', draw.problem(failure))
    end
    callback(result)
  end)
end

-- Asks for an object, which is closed with the window.
function Window:make(method, params, member, callback)
  self:ask(method, params, function(result)
    table.insert(self.handles, result[member])
    callback(result[member])
  end, function(result)
    engine.close(result[member])
  end)
end

function Window:load(asset)
  self.asset = asset
  local keys = { 'duration', 'tracks', 'commonMetadata' }
  local params = { asset = asset, keys = keys, completion = 'response' }
  self:ask('asset/loadValues', params, function(result)
    local values = result.values
    if values.tracks.error then
      return self:show('problem', draw.problem(values.tracks.error))
    end
    self.duration = draw.seconds(values.duration.value)
    self:show('heading', draw.heading(self.path, values.duration.value))
    self:show('tags', draw.tags(values.commonMetadata.value or {}))
    self:load_tracks(asset, values.tracks.value)
    local has = {}
    for _, track in ipairs(values.tracks.value) do
      has[track.mediaType] = true
    end
    if has.video then
      self:load_filmstrip(asset, draw.seconds(values.duration.value))
    end
    if has.audio then
      self:load_waveform(asset)
    end
  end)
end

function Window:load_tracks(asset, tracks)
  local lines = {}
  local function load(index)
    local track = tracks[index]
    if not track then
      return self:show('tracks', lines)
    end
    local keys = { 'formatDescriptions', 'nominalFrameRate' }
    local params = { asset = asset, trackID = track.trackID, keys = keys, completion = 'response' }
    self:ask('track/loadValues', params, function(result)
      table.insert(lines, draw.track(track, result.values))
      load(index + 1)
    end)
  end
  load(1)
end

function Window:load_filmstrip(asset, seconds)
  local count = math.max(1, math.min(8, math.floor(self.width / 20)))
  -- The frame in the middle of each part of the film, or a cheaper one earlier in the part.
  local tolerance = seconds and seconds / count / 2 or '+infinity'
  local params = {
    asset = asset,
    appliesPreferredTrackTransform = true,
    requestedTimeToleranceBefore = tolerance,
    requestedTimeToleranceAfter = 0,
  }
  self:make('imageGenerator/create', params, 'imageGenerator', function(generator)
    -- Older Neovims can't decode base64, so the picture comes in a file, with a map beside it.
    self.folder = vim.fn.tempname()
    vim.fn.mkdir(self.folder, '', tonumber('700', 8))
    local path = self.folder .. '/filmstrip'
    self:ask('imageGenerator/contactSheet', {
      imageGenerator = generator,
      count = count,
      rows = 1,
      spacing = 2,
      tileWidth = math.floor(self.width / count) - 2,
      format = 'rgb24',
      delivery = { kind = 'file', path = path },
      completion = 'response',
    }, function(sheet)
      local file = assert(io.open(path, 'rb'))
      local lines = draw.half_blocks(file:read('*a'), sheet.image)
      file:close()
      table.insert(lines, draw.times(sheet.tiles))
      self:show('filmstrip', lines)
    end)
  end)
end

function Window:load_waveform(asset)
  local params = { asset = asset, count = self.width, completion = 'response' }
  self:ask('waveform/generate', params, function(result)
    self:show('waveform', draw.bars(result.channels))
  end)
end

-- Playing: audio, and a line with the time.

function Window:show_place()
  self:show('player', draw.player(self.place, self.rate ~= 0))
end

function Window:hear(method, params)
  if method == 'timeObserver/didFire' then
    self.place = params.time
  elseif method == 'player/didChange' then
    self.rate = params.changes.rate or self.rate
  elseif method == 'playerItem/didPlayToEndTime' then
    self.place, self.ended = params.time, true
  elseif method == 'playerItem/didFailToPlayToEndTime' then
    self:show('problem', draw.problem(params.error))
  end
  self:show_place()
end

-- Calls back once there is a player of the file.
function Window:with_player(callback)
  if self.player then
    return callback()
  elseif not self.asset then
    return
  end
  self:make('playerItem/create', { asset = self.asset }, 'playerItem', function(item)
    self:make('player/create', { items = { item } }, 'player', function(player)
      self.player, self.item = player, item
      engine.hear(player, function(method, params)
        self:hear(method, params)
      end)
      local observer = { player = player, interval = '1/5' }
      self:ask('player/addPeriodicTimeObserver', observer, callback)
    end)
  end)
end

function Window:play_or_pause()
  self:with_player(function()
    if self.rate ~= 0 then
      return self:ask('player/pause', { player = self.player }, function() end)
    end
    local function play()
      self:ask('player/play', { player = self.player }, function() end)
    end
    if self.ended then
      return self:seek(0, play)
    end
    play()
  end)
end

function Window:seek(seconds, callback)
  seconds = math.min(math.max(0, seconds), self.duration or seconds)
  self.ended, self.place = false, { value = math.floor(seconds * 1000 + 0.5), timescale = 1000 }
  self:ask('player/seek', {
    player = self.player,
    time = self.place,
    toleranceBefore = 0,
    toleranceAfter = 0,
    completion = 'response',
  }, callback or function() end)
  self:show_place()
end

function Window:move(seconds)
  self:with_player(function()
    self:seek(draw.seconds(self.place) + seconds)
  end)
end

function Window:step(count)
  self:with_player(function()
    self.ended = false
    self:ask('playerItem/step', { playerItem = self.item, count = count }, function(result)
      self.place = result.time
      self:show_place()
    end)
  end)
end

function Window:close()
  self.closed = true
  for index = #self.handles, 1, -1 do
    engine.close(self.handles[index])
  end
  self.handles = {}
  if self.folder then
    vim.fn.delete(self.folder, 'rf')
  end
end

-- Shows a file in a floating window, and gives the window's number.
function M.open(path)
  if path == '' then
    return vim.notify('Reelwire: this buffer has no file', vim.log.levels.ERROR)
  end
  path = vim.fn.fnamemodify(path, ':p')
  local width = math.max(20, math.min(vim.o.columns - 4, 120))
  local height = math.max(5, math.min(vim.o.lines - 4, 30))
  local self = setmetatable({
    path = path,
    width = width,
    handles = {},
    parts = {},
    place = { value = 0, timescale = 1 },
    rate = 0,
  }, Window)

  local ok, problem = pcall(self.make, self, 'asset/open', { url = path }, 'asset', function(asset)
    self:load(asset)
  end)
  if not ok then
    return vim.notify(problem, vim.log.levels.ERROR)
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor',
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2) - 1,
    width = width,
    height = height,
    style = 'minimal',
    border = M.config.border,
  })
  vim.wo[window].winhighlight = 'NormalFloat:Normal,FloatBorder:Normal'
  -- A terminal's buffer, as that is where any colour can be without a highlight group of its own.
  self.terminal = vim.api.nvim_open_term(buffer, {})
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'reelwire'
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    once = true,
    callback = function()
      self:close()
    end,
  })
  local function map(key, description, action)
    vim.keymap.set('n', key, action, { buffer = buffer, nowait = true, desc = description })
  end
  for _, key in ipairs({ 'q', '<Esc>' }) do
    map(key, 'Close', function()
      vim.api.nvim_win_close(window, true)
    end)
  end
  map('<Space>', 'Play or pause', function()
    self:play_or_pause()
  end)
  for key, sign in pairs({ ['<Left>'] = -1, ['<Right>'] = 1 }) do
    map(key, 'Go by 5 seconds', function()
      self:move(5 * sign)
    end)
  end
  for key, sign in pairs({ [','] = -1, ['.'] = 1 }) do
    map(key, 'Step by frames', function()
      self:step(vim.v.count1 * sign)
    end)
  end
  if vim.v.vim_did_enter == 0 then
    -- The last thing that Neovim does when it starts is to go to its first window.
    vim.api.nvim_create_autocmd('VimEnter', {
      once = true,
      callback = function()
        if vim.api.nvim_win_is_valid(window) then
          vim.api.nvim_set_current_win(window)
        end
      end,
    })
  end
  self:show('heading', draw.heading(path))
  return window
end

return M
