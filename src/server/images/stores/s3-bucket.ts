import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { BucketConfig } from '../../config.ts';
import { ApiError } from '../../http/api-error.ts';
import type { ByteRange } from './image-store.ts';

/** Whoever waits for an image or an upload hears within ten seconds, retries included. */
const defaultCallMs = 7_000;
/** What asks whether this process is ready rarely waits longer. */
const checkMs = 3_000;
const connectMs = 2_000;
/** A download that stands still this long is given up, so that it holds no connection for ever. */
const idleMs = 60_000;
/** Connections for calls, which end soon, and for streams, whose readers may be slow. */
const sockets = { calls: 50, streams: 256, checks: 4 };

export interface BucketCalls {
  /** How many objects one call lists, 1000 at most. */
  pageSize?: number;
  /** Until a call is given up, retries included. */
  callMs?: number;
}

/**
 * The objects of a bucket whose keys begin with a prefix; the rest of it may be used for something
 * else. Whatever goes wrong there is a ApiError `unavailable`: people can only try again, and the log
 * tells the cause.
 */
export class S3Bucket {
  readonly #bucket: string;
  readonly #prefix: string;
  /** Each with connections of its own, so that none waits for another kind's. */
  readonly #client: S3Client;
  readonly #streams: S3Client;
  readonly #checks: S3Client;
  readonly #pageSize: number;
  readonly #callMs: number;

  constructor(
    config: BucketConfig,
    prefix: string,
    { pageSize = 1000, callMs = defaultCallMs }: BucketCalls = {},
  ) {
    this.#bucket = config.bucket;
    this.#prefix = prefix;
    this.#pageSize = pageSize;
    this.#callMs = callMs;
    this.#client = openClient(config, sockets.calls);
    this.#streams = openClient(config, sockets.streams);
    this.#checks = openClient(config, sockets.checks);
  }

  async put(
    key: string,
    bytes: Buffer,
    headers: { ContentType: string; CacheControl: string },
  ): Promise<void> {
    const command = new PutObjectCommand({ ...this.#object(key), Body: bytes, ...headers });
    await within(this.#callMs, (call) => this.#client.send(command, call));
  }

  /** Bytes of the object. */
  async size(key: string): Promise<number> {
    const command = new HeadObjectCommand(this.#object(key));
    const { ContentLength } = await within(this.#callMs, (call) =>
      this.#client.send(command, call),
    );
    if (ContentLength === undefined) throw new Error('the bucket does not tell the size');
    return ContentLength;
  }

  /** The time is bounded until the answer begins, so that a slow reader of it is not cut off. */
  async open(key: string, range?: ByteRange): Promise<Readable> {
    return await within(this.#callMs, (call) => this.#open(this.#streams, call, key, range));
  }

  /** All of a small object or range, its last byte too within the time of a call. */
  async get(key: string, range?: ByteRange): Promise<Buffer> {
    return await within(this.#callMs, async (call) =>
      buffer(await this.#open(this.#client, call, key, range)),
    );
  }

  /** Succeeds too when there is nothing under the key. */
  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#object(key));
    await within(this.#callMs, (call) => this.#client.send(command, call));
  }

  /** @param start what the keys begin with */
  async *list(start = '') {
    let after: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix + start,
        MaxKeys: this.#pageSize,
        ContinuationToken: after,
      });
      const page = await within(this.#callMs, (call) => this.#client.send(command, call));
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (!Key || !LastModified) continue;
        yield { key: Key.slice(this.#prefix.length), writtenAtMs: LastModified.getTime() };
      }
      after = page.NextContinuationToken;
    } while (after);
  }

  async check(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.#bucket });
    await within(checkMs, (call) => this.#checks.send(command, call));
  }

  async #open(client: S3Client, call: Call, key: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      ...this.#object(key),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    const { Body } = await client.send(command, call);
    if (!Body) throw new Error('the bucket sends no body');
    // On Node it always is one.
    return Body as Readable;
  }

  #object(key: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}

function openClient(config: BucketConfig, maxSockets: number): S3Client {
  const agent = { keepAlive: true, maxSockets };
  return new S3Client({
    endpoint: config.endpoint,
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // A bucket as part of the host name asks for DNS and certificates that few servers have.
    forcePathStyle: true,
    // Newer checksums are refused by many S3-compatible servers; the signature covers the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

interface Call {
  abortSignal: AbortSignal;
}

/** Ends a call that takes longer than this. */
async function within<T>(limitMs: number, send: (call: Call) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limitMs);
  try {
    return await send({ abortSignal: abort.signal });
  } catch (cause) {
    throw new ApiError('unavailable', {
      detail: 'El almacén de imágenes no responde ahora. Vuelve a intentarlo en un momento.',
      headers: { 'retry-after': '10' },
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}
