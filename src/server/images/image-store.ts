import type { Readable } from 'node:stream';

/** A part of an object, both ends included, in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the bytes of images lie. Keys are made by the server from content, never from a name. */
export interface ImageStore {
  /** What StoredFile calls `bucket`. */
  readonly bucket: string;
  /** Keeps the bytes durably before it resolves. Writing a key again is harmless: same key, same bytes. */
  write(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** @throws when the object does not exist or cannot be read. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Succeeds too when there is nothing under the key. */
  remove(key: string): Promise<void>;
  /** @throws when the store does not answer. */
  check(): Promise<void>;
}
