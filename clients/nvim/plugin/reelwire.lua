vim.api.nvim_create_user_command('Reelwire', function(command)
  require('reelwire').open(command.args ~= '' and command.args or vim.api.nvim_buf_get_name(0))
end, { nargs = '?', complete = 'file', desc = 'Show what is in a media file' })
