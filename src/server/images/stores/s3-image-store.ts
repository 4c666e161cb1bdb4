import type { BucketConfig } from '../../config/config.ts';
import type { ImageStore } from './image-store.ts';
import { S3Bucket } from './s3-bucket.ts';
import { identityKey } from './storage-keys.ts';

const prefix = 'images/';

/** Stores images as objects of a bucket. */
export class S3ImageStore extends S3Bucket implements ImageStore {
  readonly #publicUrl: string | undefined;

  /** @param pageSize see S3Bucket */
  constructor(config: BucketConfig, pageSize?: number) {
    super(config, prefix, pageSize);
    this.#publicUrl = config.publicUrl;
  }

  async write(key: string, bytes: Buffer, contentType: string): Promise<void> {
    await this.put(key, bytes, {
      ContentType: contentType,
      // Browsers may keep downloads from the public URL forever: keys are never reused.
      CacheControl: 'public, max-age=31536000, immutable',
    });
  }

  override async *list() {
    for await (const object of super.list()) if (object.key !== identityKey) yield object;
  }

  publicUrl(key: string): string | undefined {
    return this.#publicUrl && `${this.#publicUrl}/${prefix}${key}`;
  }
}
