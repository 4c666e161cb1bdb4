import type { HttpResponse, Upload } from 'tus-js-client';
import type { ImageUse, StoredFile } from '../shared/images.ts';
import { apiRoutes } from '../shared/routes.ts';
import { accountTexts } from './account-texts.ts';
import { bearer, reportSessionLost, toProblem } from './api.ts';
import { readToken } from './state/session.ts';
import { texts } from './texts.ts';
import type { Transfer, TransferEvents, UploadFailure } from './upload-task.ts';

/** Opens a resumable upload. Loads the tus client, which no other page needs. */
export async function openTusTransfer(
  file: File,
  use: ImageUse,
  userId: string,
  events: TransferEvents,
): Promise<Transfer> {
  const tus = await loadTus();
  const token = readToken() ?? '';
  let isStopped = false;
  let hasStartedOver = false;

  const upload = new tus.Upload(file, {
    // Absolute, because tus resolves a relative Location against it.
    endpoint: new URL(apiRoutes.uploads, location.origin).href,
    headers: { authorization: bearer(token) },
    metadata: { filename: file.name, filetype: file.type, use },
    retryDelays: [0, 1000, 3000, 5000, 10_000],
    removeFingerprintOnSuccess: true,
    // The same file may be another person's upload, or one for another use.
    fingerprint: async () =>
      [texts.siteName, userId, use, file.name, file.type, file.size, file.lastModified].join('/'),
    onProgress: (bytesSent) => events.onProgress(bytesSent),
    // A stop that came while the upload was still being created would be forgotten by tus.
    onUploadUrlAvailable: () => isStopped && void upload.abort(),
    onSuccess: ({ lastResponse }) => {
      const storedFile = parseBody(lastResponse) as StoredFile | null;
      if (storedFile?.fullPath) return events.onSuccess(storedFile);
      // All bytes were there already, so tus only asked and the answer was lost: send them again.
      if (!hasStartedOver) return startOver();
      return events.onFailure({ message: accountTexts.uploadFailed, canResume: false });
    },
    onError: (error) => {
      console.error(error);
      const response = error instanceof tus.DetailedError ? error.originalResponse : null;
      if (response?.getStatus() === 401) reportSessionLost(token);
      events.onFailure(toFailure(response));
    },
  });

  const startOver = () => {
    hasStartedOver = true;
    upload.url = null;
    upload.start();
  };

  const [previous] = await upload.findPreviousUploads();
  if (previous) upload.resumeFromPreviousUpload(previous);
  return controls(upload, (stopped) => {
    isStopped = stopped;
  });
}

function controls(upload: Upload, setStopped: (isStopped: boolean) => void): Transfer {
  return {
    start() {
      setStopped(false);
      upload.start();
    },
    stop() {
      setStopped(true);
      upload.abort().catch(console.error);
    },
    discard() {
      setStopped(true);
      upload.abort(true).catch(console.error);
    },
  };
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

function toFailure(response: HttpResponse | null): UploadFailure {
  const problem = response && toProblem(parseBody(response));
  if (problem) return { message: problem.detail, canResume: problem.status >= 500 };
  return { message: response ? accountTexts.uploadFailed : texts.offline, canResume: true };
}
