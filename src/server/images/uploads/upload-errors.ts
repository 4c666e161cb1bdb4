import { ApiError } from '../../http/api-error.ts';

/** The upload does not exist. */
export class UploadNotFound extends ApiError {
  constructor(cause?: unknown) {
    super('upload_not_found', { cause });
  }
}

/** Another request has locked the upload and did not release it in time. */
export class UploadLocked extends ApiError {
  constructor() {
    super('upload_locked');
  }
}

/** The upload would use up the space that is reserved for the database. */
export class DiskFull extends ApiError {
  constructor() {
    super('storage_full', { headers: { 'retry-after': '60' } });
  }
}
