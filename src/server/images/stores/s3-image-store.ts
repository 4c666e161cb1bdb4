import type { Readable } from 'node:stream';
import type { BucketConfig } from '../../config.ts';
import { ApiError } from '../../http/api-error.ts';
import type { ByteRange, ImageStore } from './image-store.ts';
import { type BucketCalls, S3Bucket } from './s3-bucket.ts';

const prefix = 'images/';

/** Images as objects of a bucket. */
export class S3ImageStore implements ImageStore {
  readonly bucket: string;
  readonly #publicUrl: string | undefined;
  readonly #objects: S3Bucket;

  constructor(config: BucketConfig, calls: BucketCalls = {}) {
    this.bucket = config.bucket;
    this.#publicUrl = config.publicUrl;
    this.#objects = new S3Bucket(config, prefix, calls);
  }

  async write(key: string, bytes: Buffer, contentType: string): Promise<void> {
    await this.#objects.put(key, bytes, {
      ContentType: contentType,
      // For whoever fetches it at the public address: a key is never used twice.
      CacheControl: 'public, max-age=31536000, immutable',
    });
  }

  size(key: string): Promise<number> {
    return found(this.#objects.size(key));
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return found(this.#objects.open(key, range));
  }

  readWhole(key: string, range?: ByteRange): Promise<Buffer> {
    return found(this.#objects.get(key, range));
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

/** What a bucket answers to HEAD and to GET. */
const missing = ['NotFound', 'NoSuchKey'];

async function found<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof Error && missing.includes(cause.name))) throw error;
    throw new ApiError('file_not_found', { cause });
  }
}
