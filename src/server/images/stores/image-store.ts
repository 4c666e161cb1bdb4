import type { Readable } from 'node:stream';

/** A range of an object's bytes, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores image objects on disk or in a bucket. Keys are generated, never taken from file names. */
export interface ImageStore {
  /** Value of `bucket` in StoredFile. */
  readonly bucket: string;
  /** Resolves once the bytes are stored durably. */
  write(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Size of the object in bytes. @throws ObjectNotFound, StoreUnavailable */
  size(key: string): Promise<number>;
  /** @throws as `size` */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Reads a small object or range into memory, so that a slow client keeps no file or connection open. @throws as
   * `size`
   */
  readWhole(key: string, range?: ByteRange): Promise<Buffer>;
  /** Succeeds even when the object does not exist. */
  remove(key: string): Promise<void>;
  /** Lists every object. An unlisted object may still exist: delete nothing because it is not listed. */
  list(): AsyncIterable<{ key: string; writtenAtMs: number }>;
  /** @throws when the store cannot be used */
  check(): Promise<void>;
}
