import type { HttpResponse } from 'tus-js-client';
import type { ImageUse, StoredFile } from '../../shared/images.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { currentToken, reportSessionLost } from '../account/account-call.ts';
import { bearer, toProblem } from '../api/api.ts';
import { texts } from '../texts.ts';
import { afterFailure, type Refused } from './retry-delay.ts';
import type { Transfer, TransferEvents, UploadWait } from './upload-task.ts';
import { uploadTexts } from './upload-texts.ts';

/** A request of which no byte is taken and that is not answered for so long is given up. */
const longestSilenceMs = 60_000;
/** As a proxy says it of a server that does not answer. */
const noAnswer: Refused = { status: 504, retryAfter: null, date: null, problem: null };

/** Opens a resumable upload. Loads the tus client, which no other page needs. */
export async function openTusTransfer(
  file: File,
  use: ImageUse,
  userId: string,
  events: TransferEvents,
): Promise<Transfer> {
  const tus = await loadTus();
  const token = currentToken();
  let isStopped = false;
  let hasStartedOver = false;
  let farthest = 0;
  let failures = 0;
  let forgetRetry = () => {};
  let silence: ReturnType<typeof setTimeout> | undefined;

  const upload = new tus.Upload(file, {
    // Absolute, because tus resolves a relative Location against it.
    endpoint: new URL(apiRoutes.uploads, location.origin).href,
    headers: { authorization: bearer(token) },
    metadata: { filename: file.name, filetype: file.type, use },
    // What is worth another try, and when, is decided below: tus knows no Retry-After.
    retryDelays: [],
    removeFingerprintOnSuccess: true,
    // The same file may be another person's upload, or one for another use.
    fingerprint: async () =>
      [texts.siteName, userId, use, file.name, file.type, file.size, file.lastModified].join('/'),
    onBeforeRequest: () => awaitLife(),
    onAfterResponse: () => clearTimeout(silence),
    onProgress: (bytesSent) => {
      awaitLife();
      // Sending the same again is no progress that a new round of tries could count from.
      if (bytesSent > farthest) {
        farthest = bytesSent;
        failures = 0;
      }
      events.onProgress(bytesSent);
    },
    // A stop that came while the upload was still being created would be forgotten by tus.
    onUploadUrlAvailable: () => isStopped && void upload.abort(),
    onSuccess: ({ lastResponse }) => {
      const storedFile = parseBody(lastResponse) as StoredFile | null;
      // All bytes were there already, so tus only asked and the answer was lost: send them again.
      if (!storedFile?.fullPath && !hasStartedOver) return startOver();
      stopWatching();
      if (storedFile?.fullPath) return events.onSuccess(storedFile);
      return events.onFailure({ message: uploadTexts.failed, canResume: false });
    },
    onError: (error) => {
      console.error(error);
      const response = error instanceof tus.DetailedError ? error.originalResponse : null;
      if (response?.getStatus() === 401) reportSessionLost(token);
      // It gave way to a newer upload, or had been still for too long.
      if (response?.getStatus() === 404 && !hasStartedOver) return startOver();
      fail(response && toRefused(response));
    },
  });

  const fail = (refused: Refused | null) => {
    clearTimeout(silence);
    const next = afterFailure(refused, failures++);
    if (!('message' in next)) return waitFor(next.wait, next.delayMs);
    stopWatching();
    return events.onFailure(next);
  };
  const awaitLife = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      upload.abort().catch(console.error);
      fail(noAnswer);
    }, longestSilenceMs);
  };
  const startOver = () => {
    hasStartedOver = true;
    upload.url = null;
    upload.start();
  };
  const waitFor = (wait: UploadWait, delayMs: number) => {
    events.onWait(wait);
    forgetRetry = whenWorthTrying(delayMs, () => upload.start());
  };
  // The browser knows at once; the request may take minutes to notice.
  const onOffline = () => {
    forgetRetry();
    clearTimeout(silence);
    upload.abort().catch(console.error);
    waitFor('network', 0);
  };
  const stopWatching = () => {
    forgetRetry();
    clearTimeout(silence);
    removeEventListener('offline', onOffline);
  };
  const stop = (shouldDiscard: boolean) => {
    isStopped = true;
    stopWatching();
    upload.abort(shouldDiscard).catch(console.error);
  };

  const [previous] = await upload.findPreviousUploads();
  if (previous) upload.resumeFromPreviousUpload(previous);
  return {
    start() {
      isStopped = false;
      failures = 0;
      addEventListener('offline', onOffline);
      upload.start();
    },
    stop: () => stop(false),
    discard: () => stop(true),
  };
}

/** After the delay or as soon as the network returns; while there is none, only then. */
function whenWorthTrying(delayMs: number, go: () => void): () => void {
  const forget = () => {
    clearTimeout(timer);
    removeEventListener('online', run);
  };
  const run = () => {
    forget();
    go();
  };
  const timer = navigator.onLine ? setTimeout(run, delayMs) : undefined;
  addEventListener('online', run);
  return forget;
}

async function loadTus() {
  try {
    return await import('tus-js-client');
  } catch (error) {
    console.error(error);
    throw new Error(texts.offline);
  }
}

function parseBody(response: HttpResponse): unknown {
  try {
    return JSON.parse(response.getBody());
  } catch {
    return null;
  }
}

function toRefused(response: HttpResponse): Refused {
  return {
    status: response.getStatus(),
    retryAfter: response.getHeader('Retry-After') ?? null,
    date: response.getHeader('Date') ?? null,
    problem: toProblem(parseBody(response)),
  };
}
