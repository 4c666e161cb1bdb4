import type { Readable } from 'node:stream';
import type { BucketConfig } from '../../config.ts';
import type { ByteRange, ImageStore } from './image-store.ts';
import { S3Bucket } from './s3-bucket.ts';

const prefix = 'images/';

/** Stores images as objects of a bucket. */
export class S3ImageStore implements ImageStore {
  readonly bucket: string;
  readonly #publicUrl: string | undefined;
  readonly #objects: S3Bucket;

  /** @param pageSize see S3Bucket */
  constructor(config: BucketConfig, pageSize?: number) {
    this.bucket = config.bucket;
    this.#publicUrl = config.publicUrl;
    this.#objects = new S3Bucket(config, prefix, pageSize);
  }

  async write(key: string, bytes: Buffer, contentType: string): Promise<void> {
    await this.#objects.put(key, bytes, {
      ContentType: contentType,
      // For downloads at the public address: keys are never reused.
      CacheControl: 'public, max-age=31536000, immutable',
    });
  }

  size(key: string): Promise<number> {
    return this.#objects.size(key);
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return this.#objects.open(key, range);
  }

  readWhole(key: string, range?: ByteRange): Promise<Buffer> {
    return this.#objects.get(key, range);
  }

  remove(key: string): Promise<void> {
    return this.#objects.remove(key);
  }

  list() {
    return this.#objects.list();
  }

  check(): Promise<void> {
    return this.#objects.check();
  }

  publicUrl(key: string): string | undefined {
    return this.#publicUrl && `${this.#publicUrl}/${prefix}${key}`;
  }
}
