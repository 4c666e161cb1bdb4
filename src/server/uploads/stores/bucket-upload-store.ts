import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import type { S3Bucket } from '../../images/stores/s3-bucket.ts';
import { ObjectNotFound } from '../../missing.ts';
import { UploadNotFound } from './errors.ts';
import { isUploadOf } from './upload-id.ts';
import type { OpenUpload, UploadStore } from './upload-store.ts';

/** Uploads are stored in chunks of this size; each request buffers up to one chunk in memory. */
const chunkBytes = 1024 * 1024;

const infoName = 'info';
const chunkName = /^(\d+)-(\d+)$/;
/** No cache may store uploads, because they may contain metadata that is removed from images. */
const headers = { ContentType: 'application/octet-stream', CacheControl: 'private, no-store' };

/** The upload without its offset, which follows from its chunks. */
type UploadInfo = ConstructorParameters<typeof Upload>[0];

/**
 * Stores unfinished uploads as objects of a bucket, so that any process can resume them: `<id>/info`
 * and the chunks `<id>/<first byte>-<end>`. A chunk that grows is written under a new key before the
 * shorter one is removed. Acknowledged bytes are therefore never lost, and a process that lost its
 * lock without noticing cannot overwrite chunks of another.
 */
export class BucketUploadStore extends DataStore implements UploadStore {
  override extensions = [
    'creation',
    'creation-with-upload',
    'creation-defer-length',
    'termination',
  ];
  readonly #bucket: S3Bucket;
  readonly #folder: string;

  /** @param folder on disk, for complete uploads while they are processed */
  constructor(bucket: S3Bucket, folder: string) {
    super();
    this.#bucket = bucket;
    this.#folder = folder;
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#writeInfo(upload);
    return upload;
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.#writeInfo({ ...(await this.#readInfo(id)), size });
  }

  override async getUpload(id: string): Promise<Upload> {
    const keys = await this.#keysOf(id);
    if (!keys.includes(infoKey(id))) throw new UploadNotFound();
    return new Upload({ ...(await this.#readInfo(id)), offset: offsetOf(id, keys) });
  }

  /** Also stores the bytes received before a lost connection. @returns the new offset */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    let stored = offset;
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    const flush = async () => {
      if (waitingBytes === 0) return;
      const start = stored - (stored % chunkBytes);
      const shorter = stored > start ? chunkKey(id, start, stored) : undefined;
      const head = shorter ? [await this.#read(shorter)] : [];
      const end = stored + waitingBytes;
      const bytes = Buffer.concat([...head, ...waiting]);
      await this.#bucket.put(chunkKey(id, start, end), bytes, headers);
      stored = end;
      waiting = [];
      waitingBytes = 0;
      // A shorter chunk that remains is removed with the upload.
      if (shorter) await this.#bucket.remove(shorter).catch(() => {});
    };
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        for (let rest = chunk; rest.length > 0; ) {
          const room = chunkBytes - ((stored + waitingBytes) % chunkBytes);
          const piece = rest.subarray(0, room);
          waiting.push(piece);
          waitingBytes += piece.length;
          rest = rest.subarray(room);
          if (piece.length === room) await flush();
        }
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof UploadNotFound)) await flush();
      throw error;
    }
    await flush();
    return stored;
  }

  override async remove(id: string): Promise<void> {
    const keys = await this.#keysOf(id);
    if (keys.length === 0) throw new UploadNotFound();
    await this.#removeAll(keys);
  }

  async withFile<T>(id: string, bytes: number, use: (file: string) => Promise<T>): Promise<T> {
    const file = path.join(this.#folder, `${id}.${randomUUID()}.tmp`);
    await mkdir(this.#folder, { recursive: true });
    try {
      const handle = await open(file, 'wx');
      try {
        for (let start = 0; start < bytes; start += chunkBytes) {
          const end = Math.min(start + chunkBytes, bytes);
          await handle.writeFile(await this.#read(chunkKey(id, start, end)));
        }
      } finally {
        await handle.close();
      }
      return await use(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  async listOpen(accountId: string): Promise<OpenUpload[]> {
    const found = [...(await this.#objectsById(`${accountId}_`))];
    const uploads = await Promise.all(
      found
        .filter(([id, { keys }]) => isUploadOf(accountId, id) && keys.includes(infoKey(id)))
        .map(async ([id, { keys, newestMs }]) => {
          // The upload may be removed at any moment.
          const info = await this.#readInfo(id).catch(() => undefined);
          if (!info) return undefined;
          const isComplete = offsetOf(id, keys) === info.size;
          return { id, size: info.size, isComplete, progressAtMs: newestMs };
        }),
    );
    return uploads.filter((upload) => upload !== undefined);
  }

  async sweep(beforeMs: number): Promise<number> {
    const uploads = await this.#objectsById();
    const abandoned = [...uploads.values()].filter(({ newestMs }) => newestMs < beforeMs);
    for (const { keys } of abandoned) await this.#removeAll(keys);
    return abandoned.length;
  }

  /** @param start a prefix of the upload ids */
  async #objectsById(start = '') {
    const uploads = new Map<string, { keys: string[]; newestMs: number }>();
    for await (const { key, writtenAtMs } of this.#bucket.list(start)) {
      const id = key.split('/', 1)[0] ?? '';
      const { keys, newestMs } = uploads.get(id) ?? { keys: [], newestMs: 0 };
      uploads.set(id, { keys: [...keys, key], newestMs: Math.max(newestMs, writtenAtMs) });
    }
    return uploads;
  }

  async #writeInfo(info: Upload | UploadInfo): Promise<void> {
    await this.#bucket.put(infoKey(info.id), Buffer.from(JSON.stringify(info)), headers);
  }

  async #readInfo(id: string): Promise<UploadInfo> {
    return JSON.parse(String(await this.#read(infoKey(id)))) as UploadInfo;
  }

  /** @throws UploadNotFound when the upload was removed meanwhile; StoreUnavailable */
  async #read(key: string): Promise<Buffer> {
    try {
      return await this.#bucket.readWhole(key);
    } catch (error) {
      throw error instanceof ObjectNotFound ? new UploadNotFound(error) : error;
    }
  }

  async #keysOf(id: string): Promise<string[]> {
    const objects = await Array.fromAsync(this.#bucket.list(`${id}/`));
    return objects.map(({ key }) => key);
  }

  /** Removes the info first: an upload without it counts as removed. */
  async #removeAll(keys: string[]): Promise<void> {
    const isInfo = (key: string) => key.endsWith(`/${infoName}`);
    const { infos = [], chunks = [] } = Object.groupBy(keys, (key) =>
      isInfo(key) ? 'infos' : 'chunks',
    );
    for (const group of [infos, chunks]) {
      await Promise.all(group.map((key) => this.#bucket.remove(key)));
    }
  }
}

const infoKey = (id: string) => `${id}/${infoName}`;
const chunkKey = (id: string, start: number, end: number) => `${id}/${start}-${end}`;

/** End of the contiguous chunks from the start of the upload. */
function offsetOf(id: string, keys: string[]): number {
  const ends = new Map<number, number>();
  for (const key of keys) {
    const [, start, end] = chunkName.exec(key.slice(id.length + 1)) ?? [];
    ends.set(Number(start), Math.max(Number(end), ends.get(Number(start)) ?? 0));
  }
  let offset = 0;
  while (offset % chunkBytes === 0 && ends.has(offset)) offset = ends.get(offset) ?? offset;
  return offset;
}
