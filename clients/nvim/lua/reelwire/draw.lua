-- What is printed and drawn of a file, as lines of text with a terminal's colours.

local M = {}

local BARS = { [0] = ' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█' }

local function colored(code, text)
  return ('\27[%sm%s\27[0m'):format(code, text)
end

-- A file's names and texts must not become commands of the terminal.
local function plain(text)
  return (tostring(text):gsub('%c', ' '))
end

function M.seconds(time)
  if type(time) ~= 'table' then
    return nil
  end
  return tonumber(time.value) / time.timescale
end

function M.clock(time)
  local seconds = M.seconds(time)
  if not seconds then
    return tostring(time)
  end
  local milliseconds = math.floor(seconds * 1000 + 0.5)
  return ('%d:%06.3f'):format(math.floor(milliseconds / 60000), milliseconds % 60000 / 1000)
end

function M.heading(path, duration)
  local name = colored('1', plain(vim.fn.fnamemodify(path, ':t')))
  return { name .. (duration and '  ' .. M.clock(duration) or '') }
end

function M.player(place, is_playing)
  return { M.clock(place) .. '  ' .. (is_playing and 'playing' or 'paused') }
end

function M.problem(failure)
  local lines = { colored('31', plain(failure.message)) }
  if failure.data and failure.data.hint then
    table.insert(lines, plain(failure.data.hint))
  end
  return lines
end

function M.track(track, values)
  local format = (values.formatDescriptions.value or {})[1] or {}
  local rate = values.nominalFrameRate.value
  local parts = { format.codec or track.mediaSubType or 'unknown' }
  if format.profile then
    parts[1] = ('%s (%s)'):format(parts[1], format.profile)
  end
  if format.video then
    local size = format.video.dimensions
    table.insert(parts, ('%d × %d'):format(size.width, size.height))
  end
  if rate and rate > 0 then
    table.insert(parts, ('%g frames/s'):format(rate))
  end
  if format.audio then
    table.insert(parts, ('%g kHz'):format(format.audio.sampleRate / 1000))
    table.insert(parts, format.audio.channelLayout)
  end
  if track.languageCode and track.languageCode ~= 'und' then
    table.insert(parts, track.languageCode)
  end
  local kind = colored('36', ('%-9s'):format(track.mediaType))
  return ('%3d  %s %s'):format(track.trackID, kind, plain(table.concat(parts, ', ')))
end

function M.tags(items)
  local lines = {}
  for _, item in ipairs(items) do
    if type(item.value) == 'string' or type(item.value) == 'number' then
      local name = colored('36', ('%-12s'):format(item.commonKey))
      table.insert(lines, name .. ' ' .. plain(item.value))
    end
  end
  return lines
end

-- The nearest of the 6 × 6 × 6 colours that a terminal has without 24-bit colour.
local function cube(red, green, blue)
  local function step(level)
    return math.floor(level / 51 + 0.5)
  end
  return 16 + 36 * step(red) + 6 * step(green) + step(blue)
end

local function color(ground, red, green, blue)
  if vim.o.termguicolors then
    return ('%d;2;%d;%d;%d'):format(ground, red, green, blue)
  end
  return ('%d;5;%d'):format(ground, cube(red, green, blue))
end

-- An image in rgb24: each character shows two pixels, one above the other.
function M.half_blocks(bytes, image)
  local plane = image.planes[1]
  local function pixel(x, y)
    local place = plane.offset + y * plane.bytesPerRow + 3 * x
    return bytes:byte(place + 1, place + 3)
  end
  local lines = {}
  for y = 0, image.height - 2, 2 do
    local cells = {}
    for x = 0, image.width - 1 do
      local upper, lower = color(38, pixel(x, y)), color(48, pixel(x, y + 1))
      table.insert(cells, ('\27[%s;%sm▀'):format(upper, lower))
    end
    table.insert(lines, table.concat(cells) .. '\27[0m')
  end
  return lines
end

-- The times of a contact sheet's tiles, each below its tile.
function M.times(tiles)
  local line = ''
  for _, tile in ipairs(tiles) do
    line = line .. (' '):rep(tile.x - #line) .. (tile.actualTime and M.clock(tile.actualTime) or '')
  end
  return line
end

-- How loud the loudest channel is.
function M.bars(channels)
  local cells = {}
  for index = 1, #channels[1].min do
    local peak = 0
    for _, channel in ipairs(channels) do
      peak = math.max(peak, math.abs(channel.min[index]), math.abs(channel.max[index]))
    end
    table.insert(cells, BARS[math.floor(8 * math.min(peak, 1) + 0.5)])
  end
  return { colored('34', table.concat(cells)) }
end

return M
