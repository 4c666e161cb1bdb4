import type { Problem } from '../../../shared/errors.ts';
import { problemText } from '../../api/failures.ts';
import type { UploadFailure } from './upload-task.ts';

/** Delays before the retries of an upload that makes no progress; then a failure is shown. */
export const retryDelaysMs = [1000, 3000, 5000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000];

/**
 * 404: the upload was deleted or is at another machine, and begins anew. 409, 423: the previous request
 * has not ended yet. 429: too many requests.
 */
const passingStatuses = [404, 409, 410, 423, 429];
/** There is no room on the disk: it may take long, and the person should know. */
const storageFull = 507;

/** Whether to repeat a request by itself. @param status of its response; undefined when there was none */
export function shouldRetry(status: number | undefined): boolean {
  if (status === undefined) return true;
  return passingStatuses.includes(status) || (status >= 500 && status !== storageFull);
}

/** What to show when an upload has ended. @param problem in the response; null when there was none */
export function uploadFailure(status: number | undefined, problem: Problem | null): UploadFailure {
  // A response without a problem comes from a proxy; after 401, the person can sign in again.
  const canResume =
    shouldRetry(status) || status === storageFull || status === 401 || problem === null;
  return { message: problem ? problemText(problem) : 'No se pudo subir la imagen.', canResume };
}
