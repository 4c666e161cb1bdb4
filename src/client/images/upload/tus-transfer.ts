import type { DetailedError, HttpResponse, Upload } from 'tus-js-client';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { fieldsOf } from '../../../shared/fields-of.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { bearer } from '../../api/call.ts';
import { toProblem } from '../../api/failures.ts';
import { withToken } from '../../api/request.ts';
import { currentUserId } from '../../storage/session.ts';
import { texts } from '../../ui/texts.ts';
import { megabyte } from '../byte-texts.ts';
import { retryDelaysMs, shouldRetry, uploadFailure } from './upload-retries.ts';
import type { SentUse, Transfer, TransferEvents } from './upload-task.ts';

/**
 * Bytes of one request for a chat, which may have two gigabytes: proxies limit requests, and some pass on only whole ones.
 */
const chatPartBytes = 50 * megabyte;

/** Opens a resumable upload. @throws when the tus client cannot be loaded */
export async function openTusTransfer(
  file: File,
  use: SentUse,
  userId: string,
  events: TransferEvents,
): Promise<Transfer> {
  const tus = await import('tus-js-client');
  /** Stops the latest attempt; its later results are ignored. */
  let stop = (_discards: boolean) => {};

  /** Sends the missing bytes. @param isRepeated whether the response to a finished attempt was lost */
  const start = async (isRepeated: boolean): Promise<void> => {
    stop(false);
    let isStopped = false;
    let upload: Upload | undefined;
    stop = (discards) => {
      isStopped = true;
      upload?.abort(discards).catch(console.error);
    };

    const send = async (token: string) => {
      const ending = Promise.withResolvers<HttpResponse | Error>();
      upload = new tus.Upload(file, {
        // Absolute, because tus resolves a relative Location against it.
        endpoint: new URL(apiRoutes.uploads, location.origin).href,
        headers: bearer(token),
        metadata: { filename: file.name, filetype: file.type, use },
        // Different users of one browser, or a cover and an avatar from one file, must not share an upload.
        fingerprint: async () =>
          [texts.siteName, userId, use, file.name, file.type, file.size, file.lastModified].join(
            '/',
          ),
        removeFingerprintOnSuccess: true,
        ...(use === 'import' && { chunkSize: chatPartBytes }),
        retryDelays: retryDelaysMs,
        onShouldRetry: (error) => {
          const status = statusOf(error);
          if (isStopped || !shouldRetry(status)) return false;
          events.onPause(status === undefined ? 'network' : 'server');
          return true;
        },
        onProgress: (bytesSent) => events.onProgress(bytesSent),
        // tus ignores an abort while it creates the upload, so the abort is repeated once the upload exists.
        onUploadUrlAvailable: () => isStopped && void upload?.abort(),
        onSuccess: ({ lastResponse }) => ending.resolve(lastResponse),
        onError: ending.resolve,
      });
      const [previous] = await upload.findPreviousUploads();
      if (previous) upload.resumeFromPreviousUpload(previous);
      // Another user may have signed in while the session was renewed.
      if (!isStopped && currentUserId() === userId) upload.start();
      return ending.promise;
    };
    const isRejected = (end: HttpResponse | Error) => end instanceof Error && statusOf(end) === 401;

    const end = await withToken(send, { isRejected });
    if (isStopped) return;
    if (!(end instanceof Error) && end !== 'unreachable') {
      const body = parseBody(end);
      if (isStoredFile(body)) return events.onSuccess(body);
      if (use === 'import') return events.onSuccess(null);
      // The server has all bytes, but the response with the stored file was lost: upload again.
      if (!isRepeated) return start(true);
    }
    const response = end instanceof Error ? responseTo(end) : null;
    const problem = response && toProblem(parseBody(response));
    const failure = uploadFailure(response?.getStatus(), problem);
    console.error(end instanceof Error ? end : failure.message);
    events.onFailure(failure);
  };

  return {
    file,
    start: () => void start(false),
    stop: () => stop(false),
    discard: () => stop(true),
  };
}

function statusOf(error: Error): number | undefined {
  return responseTo(error)?.getStatus();
}

/** Null when there was no response. */
function responseTo(error: Error | DetailedError): HttpResponse | null {
  return 'originalResponse' in error ? error.originalResponse : null;
}

function isStoredFile(body: unknown): body is StoredFile {
  const { fullPath, downloadURL } = fieldsOf(body);
  return typeof fullPath === 'string' && typeof downloadURL === 'string';
}

function parseBody(response: HttpResponse): unknown {
  try {
    return JSON.parse(response.getBody());
  } catch {
    return null;
  }
}
