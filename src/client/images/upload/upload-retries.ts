import type { Problem } from '../../../shared/errors.ts';
import { problemText } from '../../api/failures.ts';
import type { UploadFailure } from './upload-task.ts';

/** Delays before the retries of an upload that makes no progress. After the last one, a failure is shown. */
export const retryDelaysMs = [1000, 3000, 5000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000];

/**
 * 404: the upload was deleted or is on another machine, and starts over. 409, 423: the previous request has not ended
 * yet. 429: too many requests.
 */
const passingStatuses = [404, 409, 410, 423, 429];
/** The server's disk is full. Since that may last long, it is shown as a failure and not retried automatically. */
const storageFull = 507;

/** Whether to retry a request automatically. @param status of its response; undefined when there was none */
export function shouldRetry(status: number | undefined): boolean {
  if (status === undefined) return true;
  return passingStatuses.includes(status) || (status >= 500 && status !== storageFull);
}

/** The failure to show when an upload has ended. @param problem in the response; null when there was none */
export function uploadFailure(status: number | undefined, problem: Problem | null): UploadFailure {
  // A response without a problem comes from a proxy; after 401, the user can sign in again.
  const canResume =
    shouldRetry(status) || status === storageFull || status === 401 || problem === null;
  return { message: problem ? problemText(problem) : 'No se pudo subir el archivo.', canResume };
}
