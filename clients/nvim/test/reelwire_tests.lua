-- The plugin with an engine, in a Neovim without a terminal. The engine is REELWIRE_BINARY, the
-- clips are those of Tests/Editors.

local reelwire = require('reelwire')
local engine = require('reelwire.engine')

-- The milliseconds after which a wait is taken to hang.
local HANG = 180000 * tonumber(vim.env.REELWIRE_PATIENCE or '1')

local function wait(done)
  assert(vim.wait(HANG, done, 1), 'nothing came')
end

local function equal(found, wanted)
  assert(vim.deep_equal(found, wanted), vim.inspect(found) .. ' is not ' .. vim.inspect(wanted))
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

local function has(buffer, patterns)
  wait(function()
    for _, pattern in ipairs(patterns) do
      if not text(buffer):find(pattern) then
        return false
      end
    end
    return true
  end)
end

local function nothing_left()
  local stats
  wait(function()
    local answered = false
    engine.ask(reelwire.config.program, 'engine/stats', {}, function(result)
      stats, answered = result, true
    end)
    wait(function()
      return answered
    end)
    return next(stats.handles) == nil and stats.operations == 0 and stats.leases == 0
  end)
end

local tests = {}

function tests.a_float_shows_facts_filmstrip_and_waveform()
  vim.cmd('Reelwire ' .. vim.fn.fnameescape(vim.env.REELWIRE_CLIP))
  local buffer = vim.api.nvim_get_current_buf()
  equal(vim.api.nvim_win_get_config(0).relative, 'editor')
  equal(vim.bo[buffer].filetype, 'reelwire')
  has(buffer, {
    'clip%.mp4  0:02%.000',
    '  1  video +h264 %(High%), 160 × 90, 25 frames/s',
    '  2  audio +aac %(LC%), 48 kHz, mono',
    'title +A clip',
    '\n▀▀▀▀▀▀▀▀▀▀▀',
    '\n0:00%.%d+ +0:01%.%d+',
    '\n[▁▂▃▄▅▆▇█]+ *\n',
  })
  vim.api.nvim_feedkeys('q', 'xt', false)
  assert(not vim.api.nvim_buf_is_valid(buffer))
  nothing_left()
end

function tests.keys_play_and_pause()
  local window = reelwire.open(vim.env.REELWIRE_CLIP)
  local buffer = vim.api.nvim_win_get_buf(window)
  local function press(keys, pattern)
    keys = vim.api.nvim_replace_termcodes(keys, true, false, true)
    vim.api.nvim_feedkeys(keys, 'xt', false)
    has(buffer, { '\n' .. pattern })
  end
  has(buffer, { 'clip%.mp4  0:02%.000', 'title +A clip' })
  press('.', '0:00%.040  paused')
  press('<Right>', '0:02%.000  paused')
  press('<Left>', '0:00%.000  paused')
  press('3.', '0:00%.120  paused')
  press(',', '0:00%.080  paused')
  press('<Space>', '0:0[012]%.%d+  playing')
  press('<Space>', '0:0[012]%.%d+  paused')
  press('<Space>', '0:02%.000  paused')
  -- From the end it begins again.
  press('<Space>', '0:0[012]%.%d+  playing')
  has(buffer, { '  1  video' })
  vim.api.nvim_win_close(window, true)
  nothing_left()
end

function tests.the_file_of_the_buffer_is_the_default()
  vim.cmd('edit! ' .. vim.fn.fnameescape(vim.env.REELWIRE_BROKEN))
  vim.cmd('Reelwire')
  local buffer = vim.api.nvim_get_current_buf()
  has(buffer, { 'broken%.mp4\n', 'Check that it is a media file' })
  vim.cmd('close')
  nothing_left()
end

function tests.what_comes_too_late_is_closed()
  vim.api.nvim_win_close(reelwire.open(vim.env.REELWIRE_LONG), true)
  nothing_left()
  local window = reelwire.open(vim.env.REELWIRE_LONG)
  has(vim.api.nvim_win_get_buf(window), { '0:40%.000' })
  vim.api.nvim_win_close(window, true)
  nothing_left()
  local files = vim.fn.glob(vim.fn.fnamemodify(vim.fn.tempname(), ':h') .. '/*', false, true)
  local others = vim.tbl_filter(function(file)
    return file ~= vim.v.servername
  end, files)
  equal(others, {})
end

function tests.colours_are_those_of_the_terminal()
  local draw = require('reelwire.draw')
  local image = { width = 1, height = 2, planes = { { offset = 0, bytesPerRow = 3 } } }
  vim.o.termguicolors = true
  equal(draw.half_blocks('\255\0\1\2\3\255', image), { '\27[38;2;255;0;1;48;2;2;3;255m▀\27[0m' })
  vim.o.termguicolors = false
  equal(draw.half_blocks('\255\0\1\2\3\255', image), { '\27[38;5;196;48;5;21m▀\27[0m' })
  equal(draw.heading('/a/b\27[31m.mp4'), { '\27[1mb [31m.mp4\27[0m' })
end

function tests.a_program_that_is_missing_is_told()
  local said
  local notify = vim.notify
  vim.notify = function(message)
    said = message
  end
  nothing_left()
  engine.stop()
  reelwire.setup({ program = 'no-such-program' })
  reelwire.open(vim.env.REELWIRE_CLIP)
  vim.notify = notify
  assert(said:find('no%-such%-program'))
  equal(#vim.api.nvim_list_wins(), 1)
end

function tests.the_health_is_reported()
  local function check()
    vim.cmd('checkhealth reelwire')
    local report = text(0)
    vim.cmd('bwipeout!')
    return report
  end
  local program = vim.env.REELWIRE_BINARY
  local version = vim.trim(vim.fn.system({ program, '--version' }))
  local report = check()
  assert(report:find(('%s is reelwire %s'):format(program, version), 1, true), report)
  assert(report:find("'termguicolors' is off", 1, true), report)
  -- Each finding of the program with its hint, over as many lines as it takes.
  report = report:gsub('%s+', ' ')
  local count = 0
  for _, line in ipairs(vim.fn.systemlist({ program, 'doctor', '--json' })) do
    local finding = vim.fn.json_decode(line)
    if finding.state == 'good' or finding.hint then
      assert(report:find(finding.hint or finding.message:sub(1, 40), 1, true), vim.inspect(finding) .. report)
      count = count + 1
    end
  end
  assert(count > 10, count)

  local folder = vim.env.REELWIRE_FOLDER
  vim.fn.writefile({ '#!/bin/sh', 'echo "no such library" >&2; exit 127' }, folder .. '/broken')
  vim.fn.setfperm(folder .. '/broken', 'rwxr-xr-x')
  for name, message in pairs({
    ['no-such-program'] = 'There is no program no-such-program',
    [folder .. '/broken'] = 'does not run: no such library',
  }) do
    reelwire.setup({ program = name })
    report = check()
    assert(report:find(message, 1, true) and report:find('ERROR', 1, true), report)
    assert(report:find(':help |?reelwire%-setup'), report)
  end
  vim.fn.delete(folder .. '/broken')
end

local failures, count = 0, 0
for name, test in pairs(tests) do
  reelwire.setup({ program = vim.env.REELWIRE_BINARY })
  local ok, problem = xpcall(test, debug.traceback)
  count = count + 1
  failures = failures + (ok and 0 or 1)
  io.stdout:write((ok and 'passed ' or 'FAILED '), name, ok and '' or '\n' .. problem, '\n')
end
io.stdout:write(('%d tests, %d failures\n'):format(count, failures))
vim.cmd(failures == 0 and 'qall!' or 'cquit!')
