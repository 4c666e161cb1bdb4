import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { BucketConfig } from '../config.ts';
import { Refusal } from '../errors.ts';
import type { ByteRange, ImageStore } from './image-store.ts';

/** Whoever waits for a picture or an upload hears within ten seconds, retries included. */
const defaultCallMs = 7_000;
/** What asks whether this process is ready rarely waits longer. */
const checkMs = 3_000;
const connectMs = 2_000;
/** A download that stands still this long is given up, so that it holds no connection for ever. */
const idleMs = 60_000;

/** The rest of the bucket may be used for something else. */
const prefix = 'images/';

/**
 * Images as objects of a bucket. Whatever goes wrong there is a Refusal `unavailable`: people can
 * only try again, and the log tells the cause.
 */
export class S3ImageStore implements ImageStore {
  readonly bucket: string;
  readonly #publicUrl: string | undefined;
  readonly #client: S3Client;
  readonly #pageSize: number;
  readonly #callMs: number;

  /**
   * @param pageSize how many objects one call lists, 1000 at most
   * @param callMs until a call is given up, retries included
   */
  constructor(config: BucketConfig, { pageSize = 1000, callMs = defaultCallMs } = {}) {
    this.bucket = config.bucket;
    this.#callMs = callMs;
    this.#publicUrl = config.publicUrl;
    this.#pageSize = pageSize;
    this.#client = new S3Client({
      endpoint: config.endpoint,
      region: config.region,
      credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
      // A bucket as part of the host name asks for DNS and certificates that few servers have.
      forcePathStyle: true,
      // Newer checksums are refused by many S3-compatible servers; the signature covers the bytes.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 3,
      requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
    });
  }

  async write(key: string, bytes: Buffer, contentType: string): Promise<void> {
    const command = new PutObjectCommand({
      ...this.#object(key),
      Body: bytes,
      ContentType: contentType,
      // For whoever fetches it at the public address: a key is never used twice.
      CacheControl: 'public, max-age=31536000, immutable',
    });
    await within(this.#callMs, (call) => this.#client.send(command, call));
  }

  async size(key: string): Promise<number> {
    const command = new HeadObjectCommand(this.#object(key));
    const { ContentLength } = await within(this.#callMs, (call) =>
      this.#client.send(command, call),
    );
    if (ContentLength === undefined) throw new Error('the bucket does not tell the size');
    return ContentLength;
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      ...this.#object(key),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    const { Body } = await within(this.#callMs, (call) => this.#client.send(command, call));
    if (!Body) throw new Error('the bucket sends no body');
    // On Node it always is one.
    return Body as Readable;
  }

  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#object(key));
    await within(this.#callMs, (call) => this.#client.send(command, call));
  }

  async *list() {
    let after: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.bucket,
        Prefix: prefix,
        MaxKeys: this.#pageSize,
        ContinuationToken: after,
      });
      const page = await within(this.#callMs, (call) => this.#client.send(command, call));
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (!Key || !LastModified) continue;
        yield { key: Key.slice(prefix.length), writtenAtMs: LastModified.getTime() };
      }
      after = page.NextContinuationToken;
    } while (after);
  }

  async check(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.bucket });
    await within(checkMs, (call) => this.#client.send(command, call));
  }

  publicUrl(key: string): string | undefined {
    return this.#publicUrl && `${this.#publicUrl}/${prefix}${key}`;
  }

  #object(key: string) {
    return { Bucket: this.bucket, Key: prefix + key };
  }
}

/**
 * Ends a call that takes longer than this. The time runs until the answer begins, so that a slow
 * reader of a long body is not cut off.
 */
async function within<T>(
  limitMs: number,
  send: (call: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limitMs);
  try {
    return await send({ abortSignal: abort.signal });
  } catch (cause) {
    throw new Refusal('unavailable', {
      detail: 'El almacén de imágenes no responde ahora. Vuelve a intentarlo en un momento.',
      headers: { 'retry-after': '10' },
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}
