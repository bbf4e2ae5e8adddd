// The duration of a file, and the time of the frame at 2 s.
import { Engine } from 'reelwire';

const engine = await Engine.launch();
const asset = await engine.open(process.argv[2]);
const { duration } = await asset.load('duration');
const image = await asset.image(2);
console.log(duration.seconds, image.actualTime.seconds);
await engine.close();
