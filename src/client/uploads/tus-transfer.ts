import type { HttpResponse } from 'tus-js-client';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { ImageUse, StoredFile } from '../../shared/images.ts';
import { bearer } from '../api/call.ts';
import { failureTexts, toProblem } from '../api/failures.ts';
import { withToken } from '../api/request.ts';
import { currentUserId } from '../storage/session.ts';
import { texts } from '../texts.ts';
import { afterFailure, type ErrorResponse } from './retry-delay.ts';
import type { Transfer, TransferEvents, UploadWait } from './upload-task.ts';
import { uploadTexts } from './upload-texts.ts';

/** A request without progress or response for this long is aborted. */
const silenceTimeoutMs = 60_000;
/** Stands for an aborted request, as a proxy would report it. */
const gatewayTimeout: ErrorResponse = { status: 504, retryAfter: null, date: null, problem: null };

/** Opens a resumable upload. @throws when the tus client cannot be loaded */
export async function openTusTransfer(
  file: File,
  use: ImageUse,
  userId: string,
  events: TransferEvents,
): Promise<Transfer> {
  const tus = await import('tus-js-client');
  /** Aborted once this attempt is stopped or replaced by another. Its later results are ignored. */
  let attempt = new AbortController();
  let hasStartedOver = false;
  let maxBytesSent = 0;
  let failures = 0;
  let cancelRetry = () => {};
  let silence: ReturnType<typeof setTimeout> | undefined;

  const upload = new tus.Upload(file, {
    // Absolute, because tus resolves a relative Location against it.
    endpoint: new URL(apiRoutes.uploads, location.origin).href,
    metadata: { filename: file.name, filetype: file.type, use },
    // `afterFailure` decides about retries, because tus ignores Retry-After.
    retryDelays: [],
    removeFingerprintOnSuccess: true,
    // Users on one browser, and covers and avatars of one file, must not share an upload.
    fingerprint: async () =>
      [texts.siteName, userId, use, file.name, file.type, file.size, file.lastModified].join('/'),
    onBeforeRequest: () => restartTimeout(),
    onAfterResponse: () => clearTimeout(silence),
    onProgress: (bytesSent) => {
      restartTimeout();
      // Bytes that are sent again after a failure do not reset the number of retries.
      if (bytesSent > maxBytesSent) {
        maxBytesSent = bytesSent;
        failures = 0;
      }
      events.onProgress(bytesSent);
    },
    // tus ignores an abort while it creates the upload, so repeat it once the upload exists.
    onUploadUrlAvailable: () => attempt.signal.aborted && void upload.abort(),
  });

  /** Sends what is missing, until the upload ends or fails. Once it is aborted, the promise stays pending. */
  const send = (token: string, { aborted }: AbortSignal) =>
    new Promise<HttpResponse | Error>((resolve) => {
      // Another user may have signed in while the session was renewed.
      if (aborted || currentUserId() !== userId) return;
      upload.options.headers = bearer(token);
      upload.options.onSuccess = ({ lastResponse }) => resolve(lastResponse);
      upload.options.onError = (error) => {
        console.error(error);
        resolve(error);
      };
      upload.start();
    });
  const responseTo = (failure: Error) =>
    failure instanceof tus.DetailedError ? failure.originalResponse : null;
  const isRejected = (end: HttpResponse | Error) =>
    end instanceof Error && responseTo(end)?.getStatus() === 401;
  const go = async (): Promise<void> => {
    attempt.abort();
    attempt = new AbortController();
    const { signal } = attempt;
    const end = await withToken((token) => send(token, signal), { isRejected });
    if (signal.aborted) return;
    if (end === 'unreachable') return fail(null);
    if (!(end instanceof Error)) return onAllSent(parseBody(end) as StoredFile | null);
    const response = responseTo(end);
    // The server deletes an upload when it expires or a newer one replaces it.
    if (response?.getStatus() === 404 && !hasStartedOver) return startOver();
    fail(response && toErrorResponse(response));
  };
  const onAllSent = (storedFile: StoredFile | null) => {
    // The server had all bytes, but the response with the stored file was lost: upload again.
    if (!storedFile?.fullPath && !hasStartedOver) return startOver();
    stopWatching();
    if (storedFile?.fullPath) return events.onSuccess(storedFile);
    console.error(uploadTexts.failed);
    return events.onFailure({ message: uploadTexts.failed, canResume: false });
  };
  const fail = (response: ErrorResponse | null) => {
    clearTimeout(silence);
    const next = afterFailure(response, failures++);
    if (!('message' in next)) return waitFor(next.wait, next.delayMs);
    stopWatching();
    return events.onFailure(next);
  };
  const restartTimeout = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      console.error(failureTexts.late);
      upload.abort().catch(console.error);
      fail(gatewayTimeout);
    }, silenceTimeoutMs);
  };
  const startOver = () => {
    hasStartedOver = true;
    upload.url = null;
    return go();
  };
  const waitFor = (wait: UploadWait, delayMs: number) => {
    events.onWait(wait);
    cancelRetry = scheduleRetry(delayMs, go);
  };
  // Without this event an interrupted request may take minutes to fail.
  const onOffline = () => {
    attempt.abort();
    cancelRetry();
    clearTimeout(silence);
    upload.abort().catch(console.error);
    waitFor('network', 0);
  };
  const stopWatching = () => {
    cancelRetry();
    clearTimeout(silence);
    removeEventListener('offline', onOffline);
  };
  const stop = (shouldDiscard: boolean) => {
    attempt.abort();
    stopWatching();
    upload.abort(shouldDiscard).catch(console.error);
  };

  const [previous] = await upload.findPreviousUploads();
  if (previous) upload.resumeFromPreviousUpload(previous);
  return {
    file,
    start() {
      failures = 0;
      addEventListener('offline', onOffline);
      void go();
    },
    stop: () => stop(false),
    discard: () => stop(true),
  };
}

/**
 * Runs `go` after the delay or when the network returns, whichever is first; while the browser is
 * offline, only when the network returns. @returns a function that cancels it
 */
function scheduleRetry(delayMs: number, go: () => void): () => void {
  const cancel = () => {
    clearTimeout(timer);
    removeEventListener('online', run);
  };
  const run = () => {
    cancel();
    go();
  };
  const timer = navigator.onLine ? setTimeout(run, delayMs) : undefined;
  addEventListener('online', run);
  return cancel;
}

function parseBody(response: HttpResponse): unknown {
  try {
    return JSON.parse(response.getBody());
  } catch {
    return null;
  }
}

function toErrorResponse(response: HttpResponse): ErrorResponse {
  return {
    status: response.getStatus(),
    retryAfter: response.getHeader('Retry-After') ?? null,
    date: response.getHeader('Date') ?? null,
    problem: toProblem(parseBody(response)),
  };
}
