import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

interface Job {
  base: string;
  /** Paths with their queries. */
  paths: string[];
}

/**
 * Times requests in a separate process: the process that filled the forum uses much memory, and garbage collection
 * there would distort the times.
 */
export class TimedClient {
  readonly #child = fork(fileURLToPath(import.meta.url));

  /** @returns the time of each request in milliseconds, sent in turn @throws when a response is not 200 */
  async time(job: Job): Promise<number[]> {
    this.#child.send(job);
    const [answer] = (await once(this.#child, 'message')) as [number[] | string];
    if (typeof answer === 'string') throw new Error(answer);
    return answer;
  }

  stop(): void {
    this.#child.kill();
  }
}

async function timeRequests({ base, paths }: Job): Promise<number[] | string> {
  const agent = new Agent({ keepAlive: true });
  const timesMs: number[] = [];
  for (const path of paths) {
    const startMs = performance.now();
    const [response] = await once(get(base + path, { agent }), 'response');
    const body = await buffer(response);
    timesMs.push(performance.now() - startMs);
    if (response.statusCode !== 200) return `${path}: ${response.statusCode} ${body}`;
  }
  agent.destroy();
  return timesMs;
}

if (import.meta.main) {
  process.on('message', async (job: Job) => {
    process.send?.(await timeRequests(job).catch(String));
  });
}
