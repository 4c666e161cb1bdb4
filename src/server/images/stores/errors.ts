/** The bucket failed or did not answer in time. The cause is for the log. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the object store is unavailable', { cause });
  }

  /** For the operator: the store's own message, and where to look. */
  get advice(): string {
    const { cause } = this;
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : cause;
    return `The bucket does not work: ${reason}. Look at the store and at the S3_* settings.`;
  }
}
