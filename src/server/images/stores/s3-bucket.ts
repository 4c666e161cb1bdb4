import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { meansMissing, ObjectNotFound } from '../../system/missing.ts';
import type { BucketConfig } from '../../system/settings/config.ts';
import { StoreUnavailable } from './errors.ts';
import type { ByteRange } from './image-store.ts';

/**
 * Time limits of a call with its retries, because a request for an image or upload must fail within 10 s, and of a
 * readiness check, shorter than the timeouts of usual probes. Tests shorten them.
 */
export const limitsMs = { call: 7_000, check: 3_000 };
const connectMs = 2_000;
/** A download without progress is aborted after this time, to free its connection. */
const idleMs = 60_000;
/** Maximum connections for short calls, for streams to possibly slow clients, and for readiness checks. */
const sockets = { calls: 50, streams: 256, checks: 4 };

/**
 * The objects of a bucket whose keys begin with a prefix. Methods throw ObjectNotFound for a missing
 * object and StoreUnavailable for every other failure.
 */
export class S3Bucket {
  readonly bucket: string;
  readonly #prefix: string;
  /** Separate connection pools, so that slow streams delay neither calls nor checks. */
  readonly #client: S3Client;
  readonly #streams: S3Client;
  readonly #checks: S3Client;
  readonly #pageSize: number;

  /** @param pageSize objects listed per call, at most 1000 */
  constructor(config: BucketConfig, prefix: string, pageSize = 1000) {
    this.bucket = config.bucket;
    this.#prefix = prefix;
    this.#pageSize = pageSize;
    this.#client = openClient(config, sockets.calls);
    this.#streams = openClient(config, sockets.streams);
    this.#checks = openClient(config, sockets.checks);
  }

  async put(key: string, bytes: Buffer, headers: { ContentType: string }): Promise<void> {
    const command = new PutObjectCommand({ ...this.#object(key), Body: bytes, ...headers });
    await within(limitsMs.call, (call) => this.#client.send(command, call));
  }

  async size(key: string): Promise<number> {
    const command = new HeadObjectCommand(this.#object(key));
    const { ContentLength } = await orNotFound(key, (call) => this.#client.send(command, call));
    if (ContentLength === undefined) throw new Error('the bucket sent no Content-Length');
    return ContentLength;
  }

  /** The time limit covers only the start of the response, so slow clients are not cut off. */
  async read(key: string, range?: ByteRange): Promise<Readable> {
    return await orNotFound(key, (call) => this.#get(this.#streams, call, key, range));
  }

  /** Reads a small object or range completely within the time limit. */
  async readWhole(key: string, range?: ByteRange): Promise<Buffer> {
    return await orNotFound(key, async (call) =>
      buffer(await this.#get(this.#client, call, key, range)),
    );
  }

  /** Succeeds even when the object does not exist. */
  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#object(key));
    await within(limitsMs.call, (call) => this.#client.send(command, call));
  }

  /** @param start a prefix of the keys to list */
  async *list(start = '') {
    let after: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.bucket,
        Prefix: this.#prefix + start,
        MaxKeys: this.#pageSize,
        ContinuationToken: after,
      });
      const page = await within(limitsMs.call, (call) => this.#client.send(command, call));
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (!Key || !LastModified) continue;
        yield { key: Key.slice(this.#prefix.length), writtenAtMs: LastModified.getTime() };
      }
      after = page.NextContinuationToken;
    } while (after);
  }

  async check(): Promise<void> {
    // The response to HeadBucket has no body, so that a wrong secret and a missing bucket would look the same.
    const command = new ListObjectsV2Command({
      Bucket: this.bucket,
      Prefix: this.#prefix,
      MaxKeys: 1,
    });
    await within(limitsMs.check, (call) => this.#checks.send(command, call));
  }

  async #get(client: S3Client, call: Call, key: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      ...this.#object(key),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    const { Body } = await client.send(command, call);
    if (!Body) throw new Error('the bucket sent no body');
    // The SDK returns a Readable on Node.
    return Body as Readable;
  }

  #object(key: string) {
    return { Bucket: this.bucket, Key: this.#prefix + key };
  }
}

function openClient(config: BucketConfig, maxSockets: number): S3Client {
  const agent = { keepAlive: true, maxSockets };
  return new S3Client({
    endpoint: config.endpoint,
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // Virtual-hosted buckets need DNS entries and certificates that few self-hosted servers have.
    forcePathStyle: true,
    // Many S3-compatible servers reject the newer checksums; the signature covers the bytes.
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

/** Aborts a call after the time limit. @throws StoreUnavailable for every failure */
async function within<T>(limitMs: number, send: (call: Call) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limitMs);
  try {
    return await send({ abortSignal: abort.signal });
  } catch (cause) {
    throw new StoreUnavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Like `within`, for a call that reads an object. @throws ObjectNotFound, StoreUnavailable */
async function orNotFound<T>(key: string, send: (call: Call) => Promise<T>): Promise<T> {
  try {
    return await within(limitsMs.call, send);
  } catch (error) {
    const { cause } = error as StoreUnavailable;
    throw meansMissing(cause) ? new ObjectNotFound(key, cause) : error;
  }
}
