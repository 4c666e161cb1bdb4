import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ImageUse } from '../../shared/images.ts';
import { unavailableError } from '../http/api-error.ts';
import { createLimit } from '../http/limits/bounded-queue.ts';
import { ImageRejected, ImageTooLarge } from './errors.ts';
import type { MadeImage } from './image-processing.ts';

const program = fileURLToPath(new URL('./decoder-process.ts', import.meta.url));

/** How long the process waits for another task, because starting it takes a fifth of a second. */
const idleMs = 5000;
/**
 * Enough for the largest photos on a slow machine, and less than a connection may last without progress
 * (connections.ts). Tests shorten it.
 */
export const longest = { ms: 45_000 };

export type Task = { file: string; use: ImageUse } | { svg: string; format: DrawnFormat };
/** JPEG for link previews, since WhatsApp shows it more readily. */
export type DrawnFormat = 'png' | 'jpeg';
export type Answer =
  | { result: MadeImage | Uint8Array }
  | { rejected: ConstructorParameters<typeof ImageRejected> }
  | { error: unknown };

/** One image takes up to `maxMemoryBytes` (decoder-process.ts), so the others wait with their bytes on disk. */
const decoding = createLimit(1);

/**
 * Makes the full size and the variants of an uploaded image in the decoder process, after earlier images.
 * @throws ImageRejected; ApiError `unavailable` when too many images wait; an error when the file cannot be read
 */
export const decodeUpload = (file: string, use: ImageUse) => resultOf<MadeImage>({ file, use });

/**
 * Draws an SVG of the site, two pixels for each of its units, after earlier images. @throws ApiError `unavailable` as
 * above
 */
export const drawSvg = (svg: string, format: DrawnFormat) => resultOf<Uint8Array>({ svg, format });

async function resultOf<Result>(task: Task): Promise<Result> {
  const answer = await decoding(() => refetchNow(task));
  if ('error' in answer) throw answer.error;
  if ('rejected' in answer) throw new ImageRejected(...answer.rejected);
  return answer.result as Result;
}

/** Asks once more if it took too much memory in a process to which earlier images may have left some. */
async function refetchNow(task: Task): Promise<Answer> {
  const isUsed = running !== undefined;
  const startedMs = performance.now();
  try {
    return await ask(task);
  } catch (error) {
    const isLate = performance.now() - startedMs >= longest.ms;
    if (!isUsed || isLate || !(error instanceof ImageTooLarge)) throw error;
    return ask(task);
  }
}

let running: ChildProcess | undefined;
let ending: NodeJS.Timeout | undefined;

async function ask(task: Task): Promise<Answer> {
  clearTimeout(ending);
  if (!running?.connected || running.killed) running = start();
  const child = running;
  // The process could not be started, for example without free file descriptors.
  if (!child.connected) throw unavailableError();
  hold(child, true);
  const over = new AbortController();
  const timeout = setTimeout(() => child.kill('SIGKILL'), longest.ms);
  try {
    const answered = once(child, 'message', over) as Promise<[Answer]>;
    const ended = once(child, 'exit', over).then(([code, signal]): never => {
      // The process exits by itself only if it cannot work at all. One that takes too long or too much memory is
      // killed, by this process or by itself.
      if (signal === null) throw new Error(`the decoder ended with ${code}`);
      throw new ImageTooLarge('memory', new Error(`the decoder ended with ${signal}`));
    });
    child.send(task);
    const [answer] = await Promise.race([answered, ended]);
    return answer;
  } finally {
    over.abort();
    clearTimeout(timeout);
    hold(child, false);
    ending = setTimeout(() => end(child), idleMs).unref();
  }
}

function start(): ChildProcess {
  const child = fork(program, {
    // Little memory is needed for young objects, because the process creates few.
    execArgv: [...process.execArgv, '--max-semi-space-size=1'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return child.once('exit', () => forget(child)).on('error', () => forget(child));
}

/** The process ends once it is disconnected. */
function end(child: ChildProcess): void {
  forget(child);
  if (child.connected) child.disconnect();
}

function forget(child: ChildProcess): void {
  if (running === child) running = undefined;
}

/** Sets whether the child process keeps this process running. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const handle of [child, child.channel]) isHeld ? handle?.ref() : handle?.unref();
}
