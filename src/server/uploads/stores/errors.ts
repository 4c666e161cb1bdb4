/** No upload has this id. */
export class UploadNotFound extends Error {
  constructor(id: string, cause?: unknown) {
    super(`no upload ${id}`, { cause });
  }
}

/** Another request holds the upload and did not release it in time. */
export class UploadLocked extends Error {
  constructor() {
    super('the upload is locked');
  }
}

/** The upload would use up the space that is reserved for the database. */
export class DiskFull extends Error {
  constructor() {
    super('too little free disk space for the upload');
  }
}
