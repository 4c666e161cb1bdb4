import type { DetailedError, HttpResponse } from 'tus-js-client';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { ImageUse, StoredFile } from '../../shared/images.ts';
import { bearer } from '../api/call.ts';
import { toProblem } from '../api/failures.ts';
import { withToken } from '../api/request.ts';
import { currentUserId } from '../storage/session.ts';
import { texts } from '../texts.ts';
import { retryDelaysMs, shouldRetry, uploadFailure } from './upload-retries.ts';
import type { Transfer, TransferEvents } from './upload-task.ts';

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

  const upload = new tus.Upload(file, {
    // Absolute, because tus resolves a relative Location against it.
    endpoint: new URL(apiRoutes.uploads, location.origin).href,
    metadata: { filename: file.name, filetype: file.type, use },
    retryDelays: retryDelaysMs,
    onShouldRetry: (error) => {
      const status = statusOf(error);
      if (attempt.signal.aborted || !shouldRetry(status)) return false;
      events.onWait(status === undefined ? 'network' : 'server');
      return true;
    },
    removeFingerprintOnSuccess: true,
    // Users on one browser, and covers and avatars of one file, must not share an upload.
    fingerprint: async () =>
      [texts.siteName, userId, use, file.name, file.type, file.size, file.lastModified].join('/'),
    onProgress: (bytesSent) => events.onProgress(bytesSent),
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
      upload.options.onError = resolve;
      upload.start();
    });
  const isRejected = (end: HttpResponse | Error) => end instanceof Error && statusOf(end) === 401;
  const go = async (): Promise<void> => {
    attempt.abort();
    attempt = new AbortController();
    const { signal } = attempt;
    const end = await withToken((token) => send(token, signal), { isRejected });
    if (signal.aborted) return;
    if (!(end instanceof Error) && end !== 'unreachable') {
      const storedFile = parseBody(end) as StoredFile | null;
      if (storedFile?.fullPath) {
        stop(false);
        return events.onSuccess(storedFile);
      }
      // The server had all bytes, but the response with the stored file was lost: upload again.
      if (!hasStartedOver) {
        hasStartedOver = true;
        upload.url = null;
        return go();
      }
    }
    const response = end instanceof Error ? responseTo(end) : null;
    const problem = response && toProblem(parseBody(response));
    const failure = uploadFailure(response?.getStatus(), problem);
    // Only now: it empties the response.
    stop(false);
    console.error(end instanceof Error ? end : failure.message);
    events.onFailure(failure);
  };
  // Without this event an interrupted request may take minutes to fail.
  const onOffline = () => {
    attempt.abort();
    upload.abort().catch(console.error);
    events.onWait('network');
  };
  const onOnline = () => {
    upload.abort().catch(console.error);
    void go();
  };
  const stop = (shouldDiscard: boolean) => {
    attempt.abort();
    removeEventListener('offline', onOffline);
    removeEventListener('online', onOnline);
    upload.abort(shouldDiscard).catch(console.error);
  };

  const [previous] = await upload.findPreviousUploads();
  if (previous) upload.resumeFromPreviousUpload(previous);
  return {
    file,
    start() {
      hasStartedOver = false;
      addEventListener('offline', onOffline);
      addEventListener('online', onOnline);
      void go();
    },
    stop: () => stop(false),
    discard: () => stop(true),
  };
}

function statusOf(error: Error): number | undefined {
  return responseTo(error)?.getStatus();
}

/** Null when there was none. */
function responseTo(error: Error | DetailedError): HttpResponse | null {
  return 'originalResponse' in error ? error.originalResponse : null;
}

function parseBody(response: HttpResponse): unknown {
  try {
    return JSON.parse(response.getBody());
  } catch {
    return null;
  }
}
