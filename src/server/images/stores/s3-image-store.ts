import type { BucketConfig } from '../../system/settings/config.ts';
import type { ImageStore } from './image-store.ts';
import { S3Bucket } from './s3-bucket.ts';

export class S3ImageStore extends S3Bucket implements ImageStore {
  /** @param pageSize see S3Bucket */
  constructor(config: BucketConfig, pageSize?: number) {
    super(config, 'images/', pageSize);
  }

  async write(key: string, bytes: Buffer, contentType: string): Promise<void> {
    await this.put(key, bytes, { ContentType: contentType });
  }
}
