import { apiRoutes } from '../../shared/api-routes.ts';
import { bearer } from '../api/call.ts';
import { type Failure, toProblem } from '../api/failures.ts';
import { withToken } from '../api/request.ts';
import { saveFile } from './save-file.ts';

class NotSavedError extends Error {}

/** The destination of the bytes: a file on disk, or memory and then the browser's downloads. */
interface Target {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void> | void;
  finish(): Promise<void> | void;
  discard(): Promise<void> | void;
}

/** `showSaveFilePicker` of the File System Access API, which not every browser has. */
type SavePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileSystemFileHandle>;

/**
 * Asks where to save the file, if the browser can stream to disk. Must be called by the handler of a click.
 * @returns null when the user has canceled
 */
export async function chooseTarget(fileName: string): Promise<Target | null> {
  const picker = (window as { showSaveFilePicker?: SavePicker }).showSaveFilePicker;
  if (!picker) return memoryTarget(fileName);
  try {
    const file = await picker({
      suggestedName: fileName,
      types: [{ accept: { 'application/zip': ['.zip'] } }],
    });
    const stream = await file.createWritable();
    return {
      write: (chunk) => stream.write(chunk),
      finish: () => stream.close(),
      discard: () => stream.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // The dialog is forbidden, for example by a policy of the browser.
    return memoryTarget(fileName);
  }
}

function memoryTarget(fileName: string): Target {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    write: (chunk) => {
      chunks.push(chunk);
    },
    finish: () => {
      saveFile(new Blob(chunks, { type: 'application/zip' }), fileName);
    },
    discard: () => {},
  };
}

/**
 * Downloads the account's data into a target.
 * @param onBytes is called with the number of bytes so far
 * @returns null when all is saved; 'not-saved' when the file cannot be written, as on a full disk
 */
export async function saveExport(
  target: Target,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Failure | 'not-saved' | null> {
  try {
    const response = await requestExport(signal);
    if (!response.ok || !response.body) {
      const problem = toProblem(await response.json().catch(() => null));
      await target.discard();
      return { problem, isServerError: response.status > 499 };
    }
    await copy(response.body, target, onBytes);
    return null;
  } catch (error) {
    try {
      await target.discard();
    } catch {}
    return error instanceof NotSavedError ? 'not-saved' : { problem: null };
  }
}

async function requestExport(signal: AbortSignal): Promise<Response> {
  const response = await withToken(
    (token) => fetch(apiRoutes.export, { headers: bearer(token), signal }),
    { isRejected: ({ status }) => status === 401 },
  );
  if (response === 'unreachable') throw new Error('the session cannot be renewed now');
  return response;
}

async function copy(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  target: Target,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await orNotSaved(target.write(value));
      bytes += value.length;
      onBytes(bytes);
    }
    await orNotSaved(target.finish());
  } finally {
    // Aborts the request when the file cannot be written.
    reader.cancel().catch(() => {});
  }
}

async function orNotSaved(writing: Promise<void> | void): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    throw new NotSavedError('not saved', { cause });
  }
}
