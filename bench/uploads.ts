// `npm run bench:uploads`: memory of the server process while a hundred photos arrive at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { apiRoutes } from '../src/shared/routes.ts';

const uploads = 100;
const sampleMs = 20;
const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
// As people start it: the script sets how memory is given back to the system.
const server = spawn('npm', ['start'], {
  env: { ...process.env, PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'info' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const { url, pid } = await whereabouts(server);
  const token = await signIn(url);
  const photos = await Promise.all(Array.from({ length: 5 }, (_, i) => photo(i)));
  await upload(url, token, photos[0] ?? Buffer.alloc(0), 'warm-up.jpg');
  await pause(1000);

  const idle = await residentBytes(pid);
  let peak = idle;
  let done = false;
  const watching = (async () => {
    while (!done) {
      peak = Math.max(peak, await residentBytes(pid));
      await pause(sampleMs);
    }
  })();
  const startedMs = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: uploads }, (_, i) =>
      upload(url, token, photos[i % photos.length] ?? Buffer.alloc(0), `foto-${i}.jpg`),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  done = true;
  await watching;

  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  console.log(
    `${uploads} photos of 12 megapixels, ${megabytes(photos[0]?.length ?? 0)} each, at once`,
  );
  console.log(
    `answers: ${JSON.stringify(Object.groupBy(statuses, String), (_, v) => (Array.isArray(v) ? v.length : v))}`,
  );
  console.log(`time: ${seconds.toFixed(1)} s, ${(uploads / seconds).toFixed(1)} a second`);
  console.log(
    `memory: idle ${megabytes(idle)}, peak ${megabytes(peak)}, above idle ${megabytes(peak - idle)}`,
  );
} finally {
  server.kill('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
}

/** Reads the log until the server says where it is. */
async function whereabouts(child: ChildProcess): Promise<{ url: string; pid: number }> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('{')) continue;
    const { msg, pid } = JSON.parse(line) as { msg: string; pid: number };
    const url = /^tertulia is at (http:\S+)$/.exec(msg)?.[1];
    if (url) return { url, pid };
  }
  throw new Error('the server did not start');
}

async function signIn(url: string): Promise<string> {
  const [email, password] = ['banco@ejemplo.es', 'x'];
  await fetch(url + apiRoutes.signUp, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Banco', email, password }),
  });
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
  const response = await fetch(url + apiRoutes.signIn, {
    method: 'POST',
    headers: { authorization },
  });
  return ((await response.json()) as { token: string }).token;
}

/** Twelve megapixels with the grain of a real one. */
function photo(seed: number): Promise<Buffer> {
  return sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 100 + seed, sigma: 12 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer();
}

async function upload(url: string, token: string, bytes: Buffer, name: string): Promise<number> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const response = await fetch(url + apiRoutes.uploads, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${base64(name)},use ${base64('cover')}`,
    },
    body: new Uint8Array(bytes),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Resident set of the process, from the kernel. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
