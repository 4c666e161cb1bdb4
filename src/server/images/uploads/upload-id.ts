import { randomUUID } from 'node:crypto';

const uuid = /^[0-9a-f-]{36}$/;

/** An upload's id begins with its account's id, so that only its owner may resume it. */
export function newUploadId(accountId: string): string {
  return `${accountId}_${randomUUID()}`;
}

export function isUploadOf(accountId: string, id: string): boolean {
  return id.startsWith(`${accountId}_`) && uuid.test(id.slice(accountId.length + 1));
}

export function ownerOf(uploadId: string): string {
  return uploadId.slice(0, uploadId.lastIndexOf('_'));
}
