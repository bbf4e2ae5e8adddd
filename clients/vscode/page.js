// The page of an editor. It loads nothing but its own script and style, and pictures out of messages.

'use strict';

const { randomBytes } = require('node:crypto');

exports.page = (webview, fileOf) => {
  const nonce = randomBytes(16).toString('base64');
  const source = (name) => webview.asWebviewUri(fileOf(name));
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${source('view.css')}">
</head>
<body>
<img id="frame" alt="" hidden>
<p id="place" aria-live="polite"></p>
<div id="strip" role="slider" tabindex="0" aria-label="Time" aria-valuemin="0">
<img id="filmstrip" alt="" hidden>
<img id="waveform" alt="" hidden>
<div id="head"></div>
</div>
<table id="tracks"></table>
<table id="tags"></table>
<p id="problem" role="alert"></p>
<script nonce="${nonce}" src="${source('view.js')}"></script>
</body>
</html>`;
};
