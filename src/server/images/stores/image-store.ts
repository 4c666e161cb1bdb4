import type { Readable } from 'node:stream';
import { ApiError } from '../../http/api-error.ts';

/** A part of an object, both ends included, in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Whether a store said that there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'file_not_found';
}

/** Where the bytes of images lie. Keys are made by the server, never from a name. */
export interface ImageStore {
  /** What StoredFile calls `bucket`. */
  readonly bucket: string;
  /** Keeps the bytes durably before it resolves. */
  write(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Bytes under the key. @throws ApiError `file_not_found`; or when it cannot be read. */
  size(key: string): Promise<number>;
  /** @throws as `size` */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** What is small enough for memory: nothing is held open for a slow reader. @throws as `size` */
  readWhole(key: string, range?: ByteRange): Promise<Buffer>;
  /** Succeeds too when there is nothing under the key. */
  remove(key: string): Promise<void>;
  /** Everything that is kept, whatever its key. */
  list(): AsyncIterable<{ key: string; writtenAtMs: number }>;
  /** @throws when the store does not answer. */
  check(): Promise<void>;
  /** Where anyone can fetch the object without this server; undefined when only through it. */
  publicUrl(key: string): string | undefined;
}
