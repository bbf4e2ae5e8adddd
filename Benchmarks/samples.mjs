// Every frame of a video as rgb24 in Node: `node samples.mjs BINARY FILE`, prints a result as
// sample_peers.py does.
//
// There is no client in between: lines of JSON over the engine's pipes, and its shared memory read at
// an offset into buffers that are used again, because Node can't map memory. One request is under way
// while the frames of the one before are looked at.
import { spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync, readSync } from "node:fs";

const [binary, file] = process.argv.slice(2);
const began = process.hrtime.bigint();
const cpuBefore = process.cpuUsage();
const engine = spawn(binary, ["serve"], { stdio: ["pipe", "pipe", "ignore"] });

const waiting = new Map();
let lastID = 0;
let parts = [];

engine.stdout.on("data", (chunk) => {
  let start = 0;
  for (let end; (end = chunk.indexOf(10, start)) >= 0; start = end + 1) {
    parts.push(chunk.subarray(start, end));
    const message = JSON.parse(Buffer.concat(parts).toString());
    parts = [];
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.error) reject?.(new Error(message.error.message));
    else resolve?.(message.result);
  }
  if (start < chunk.length) parts.push(chunk.subarray(start));
});

function write(message) {
  engine.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
}

function call(method, params) {
  const id = ++lastID;
  write({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const descriptors = new Map();
const pool = [];

// The bytes of a blob in a buffer of ours.
function read(blob) {
  let descriptor = descriptors.get(blob.path);
  if (descriptor === undefined) {
    descriptor = openSync(blob.path, "r");
    descriptors.set(blob.path, descriptor);
  }
  let buffer = pool.pop();
  if (!buffer || buffer.length < blob.size) buffer = Buffer.allocUnsafeSlow(blob.size);
  for (let done = 0; done < blob.size; ) {
    const count = readSync(descriptor, buffer, done, blob.size - done, blob.offset + done);
    if (count === 0) throw new Error("the shared memory has ended");
    done += count;
  }
  return buffer;
}

// The sum of every eighth pixel of every eighth row.
function sum(buffer, plane, width) {
  let total = 0;
  for (let row = 0; row < plane.height; row += 8) {
    const first = plane.offset + row * plane.bytesPerRow;
    for (let place = first; place < first + width * 3; place += 24) {
      total += buffer[place] + buffer[place + 1] + buffer[place + 2];
    }
  }
  return total;
}

function resident(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
}

// The seconds of processors of a process and its descendants, and the sum of their peaks of memory in kilobytes;
// memory of files is shared by them, and counts once.
function cost(pid) {
  const family = (each) => [
    each,
    ...readdirSync(`/proc/${each}/task`)
      .flatMap((task) => readFileSync(`/proc/${each}/task/${task}/children`, "utf8").split(" ").filter((id) => id.trim()))
      .flatMap(family),
  ];
  const files = [];
  let [memory, ticks] = [0, 0];
  for (const each of family(pid)) {
    const fields = readFileSync(`/proc/${each}/stat`, "utf8").split(")").pop().trim().split(/\s+/);
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    memory += resident(each);
    files.push(Number(/RssFile:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, "utf8"))[1]));
  }
  files.sort((a, b) => a - b).pop();
  return { seconds: ticks / 100, memory: memory - files.reduce((sum, size) => sum + size, 0) };
}

const base = resident("self");
const { asset } = await call("asset/open", { url: file });
// Colours as the other libraries have them.
const settings = { pixelFormat: "rgb24" };
const { assetReader, outputs } = await call("assetReader/create", {
  asset,
  outputs: [{ type: "track", mediaType: "video", settings }],
});
await call("assetReader/start", { assetReader });
const pull = () =>
  call("assetReader/nextSampleBuffers", {
    output: outputs[0],
    maxCount: 16,
    maxBytes: 16 << 20,
    delivery: "shm",
  });

let count = 0;
let total = 0;
for (let ahead = pull(); ahead; ) {
  const { sampleBuffers, endOfStream } = await ahead;
  ahead = endOfStream ? null : pull();
  for (const { blob, image } of sampleBuffers) {
    const buffer = read(blob);
    // The samples are a copy: their memory may be written again at once.
    write({ method: "blob/release", params: { leases: [blob.lease] } });
    total += sum(buffer, image.planes[0], image.width);
    pool.push(buffer);
    count += 1;
  }
}
const used = cost(engine.pid);
const cpu = process.cpuUsage(cpuBefore);
const result = {
  base,
  seconds: Number(process.hrtime.bigint() - began) / 1e9,
  cpu: (cpu.user + cpu.system) / 1e6,
  memory: resident("self"),
  engineMemory: used.memory,
  engineCPU: used.seconds,
  count,
  total,
};
engine.stdin.end();
engine.on("exit", () => console.log(JSON.stringify(result)));
