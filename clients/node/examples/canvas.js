// A canvas as a video: `node canvas.js OUTPUT [SECONDS]`.
//
// Each frame is the result of a canvas's `getImageData`: with @napi-rs/canvas the screen below would be
//
//   const context = createCanvas(1920, 1080).getContext('2d');
//   … context.fillRect(…); yield context.getImageData(0, 0, 1920, 1080);

import { Engine } from '../src/index.js';

const WIDTH = 1920;
const HEIGHT = 1080;
const RATE = 30;

/** As much of a canvas as this example needs. */
class Screen {
  #data = new Uint32Array(WIDTH * HEIGHT);

  fillRect(color, x, y, width, height) {
    const [left, top] = [Math.round(x), Math.round(y)];
    for (let row = Math.max(top, 0); row < Math.min(top + height, HEIGHT); row += 1) {
      this.#data.fill(color, row * WIDTH + left, row * WIDTH + left + width);
    }
  }

  getImageData() {
    return { data: new Uint8ClampedArray(this.#data.buffer), width: WIDTH, height: HEIGHT };
  }
}

/** A square that bounces over the screen. */
function* frames(count) {
  const screen = new Screen();
  for (let number = 0; number < count; number += 1) {
    const swing = (period, length) => (0.5 - 0.5 * Math.cos((number / period) * Math.PI)) * length;
    screen.fillRect(0xff302010, 0, 0, WIDTH, HEIGHT);
    screen.fillRect(0xff20a0ff, swing(45, WIDTH - 200), swing(25, HEIGHT - 200), 200, 200);
    yield screen.getImageData();
  }
}

const [output, seconds = '3'] = process.argv.slice(2);
if (!output) throw new Error('node canvas.js OUTPUT [SECONDS]');
const engine = await Engine.launch();
try {
  const count = Math.round(seconds * RATE);
  const { path, fileSize } = await engine.writeVideo(output, frames(count), {
    size: { width: WIDTH, height: HEIGHT },
    frameRate: RATE,
    onProgress: (number) => process.stderr.write(`\r${number} of ${count} frames`),
    count,
  });
  console.log(`\n${path}: ${fileSize} bytes`);
} finally {
  await engine.close();
}
