-- `:checkhealth reelwire`: the program, and its own report.

local M = {}

-- Since Neovim 0.8 these functions are a part of vim, and since 0.10 their names are shorter.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local problem = health.error or health.report_error

-- An object for each line, as `reelwire doctor --json` prints them; other lines are ignored.
local function findings(lines)
  local found = {}
  for _, line in ipairs(lines) do
    local isObject, finding = pcall(vim.fn.json_decode, line)
    if isObject and type(finding) == 'table' and type(finding.message) == 'string' then
      table.insert(found, finding)
    end
  end
  return found
end

function M.check()
  start('reelwire')
  if vim.fn.has('nvim-0.7') == 1 then
    ok('Neovim is new enough')
  else
    problem('Neovim is too old', { 'Install Neovim 0.7 or newer.' })
  end
  local program = require('reelwire').config.program
  local path = vim.fn.exepath(program)
  if path == '' then
    return problem(('There is no program %s'):format(program), {
      'Install reelwire, and add its folder to the PATH, or state its path:',
      "require('reelwire').setup({ program = '/path/to/reelwire' })",
      'See :help reelwire-setup.',
    })
  end
  local version = vim.trim(vim.fn.system({ path, '--version' }))
  if vim.v.shell_error ~= 0 then
    return problem(('%s does not run: %s'):format(path, version), {
      'Install it for this system again, or state the path of another one. See :help reelwire-setup.',
    })
  end
  ok(('%s is reelwire %s'):format(path, version))
  if vim.o.termguicolors then
    ok("Pictures have all colours ('termguicolors')")
  else
    warn("Pictures have 256 colours, because 'termguicolors' is off", {
      'If the terminal has all colours: vim.o.termguicolors = true',
    })
  end

  start('reelwire doctor')
  local found = findings(vim.fn.systemlist({ path, 'doctor', '--json' }))
  if #found == 0 then
    return warn('The program has no report of its own', { 'Install a newer one.' })
  end
  for _, finding in ipairs(found) do
    local advice = type(finding.hint) == 'string' and { finding.hint } or nil
    if finding.state == 'good' then
      ok(finding.message)
    elseif finding.state == 'missing' then
      warn(finding.message, advice)
    else
      problem(finding.message, advice)
    end
  end
end

return M
