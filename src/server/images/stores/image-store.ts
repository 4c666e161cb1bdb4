import type { Readable } from 'node:stream';

/** A part of an object, both ends included, in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores image objects on disk or in a bucket. Keys are generated, never taken from file names. */
export interface ImageStore {
  /** `bucket` in StoredFile. */
  readonly bucket: string;
  /** Resolves once the bytes are stored durably. */
  write(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Size of the object in bytes. @throws ObjectNotFound, StoreUnavailable */
  size(key: string): Promise<number>;
  /** @throws as `size` */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Reads a small object or range into memory, so that slow clients hold nothing open. @throws as `size` */
  readWhole(key: string, range?: ByteRange): Promise<Buffer>;
  /** Succeeds also when the object does not exist. */
  remove(key: string): Promise<void>;
  /** Lists every object. What is not listed may exist all the same: delete nothing for it. */
  list(): AsyncIterable<{ key: string; writtenAtMs: number }>;
  /** @throws when the store cannot be used */
  check(): Promise<void>;
}
