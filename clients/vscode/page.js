// The page of an editor. It loads nothing but its own script and style, and pictures out of messages.

'use strict';

const { randomBytes } = require('node:crypto');

/** Above 4 audio is silent. */
const RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4];

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
<div id="controls" role="group" aria-label="Playback">
<button id="play" type="button">Play</button>
<label>Rate <select id="rate">
${RATES.map((rate) => `<option value="${rate}"${rate === 1 ? ' selected' : ''}>${rate} ×</option>`).join('\n')}
</select></label>
<label><input id="loop" type="checkbox"> Loop</label>
<label id="audioLabel"><input id="audio" type="checkbox"> Audio</label>
</div>
<p id="problem" role="alert"></p>
<div id="strip" role="slider" tabindex="0" aria-label="Time" aria-valuemin="0">
<img id="filmstrip" alt="" hidden>
<img id="waveform" alt="" hidden>
<div id="selection" hidden></div>
<div id="head"></div>
</div>
<table id="tracks"></table>
<table id="tags"></table>
<script nonce="${nonce}" src="${source('view.js')}"></script>
</body>
</html>`;
};
