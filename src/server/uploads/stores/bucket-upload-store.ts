import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { ObjectNotFound, StoreUnavailable } from '../../images/stores/errors.ts';
import type { S3Bucket } from '../../images/stores/s3-bucket.ts';
import { UploadNotFound } from '../errors.ts';
import { isUploadOf } from '../upload-id.ts';
import type { OpenUpload, UploadStore } from './upload-store.ts';

/** An upload lies in stretches of this size; as much of each one is in memory while it comes in. */
const stretchBytes = 1024 * 1024;

const infoName = 'info';
const stretchName = /^(\d+)-(\d+)$/;
/** It may hold more than the image that is made of it will: it is nobody's to keep. */
const headers = { ContentType: 'application/octet-stream', CacheControl: 'private, no-store' };

/** What is known of an upload from the start; its offset follows from the stretches. */
type UploadInfo = ConstructorParameters<typeof Upload>[0];

/**
 * Unfinished uploads as objects of a bucket, so that any process may go on with them: `<id>/info`,
 * and what has come in as `<id>/<first byte>-<end>`. A stretch that grows is written anew under
 * another key and the shorter one removed after it, so at no moment is anything lost that was
 * acknowledged; nor can a process that lost its lock unnoticed harm what another has written.
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

  /** @param folder on disk, for complete uploads while images are made of them */
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
    if (!keys.includes(infoKey(id))) throw new UploadNotFound(id);
    return new Upload({ ...(await this.#readInfo(id)), offset: offsetOf(id, keys) });
  }

  /** @returns the offset after it. What came before a connection was lost is kept as well. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    let kept = offset;
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    const keep = async () => {
      if (waitingBytes === 0) return;
      const start = kept - (kept % stretchBytes);
      const shorter = kept > start ? stretchKey(id, start, kept) : undefined;
      const head = shorter ? [await this.#read(id, shorter)] : [];
      const end = kept + waitingBytes;
      const bytes = Buffer.concat([...head, ...waiting]);
      await this.#bucket.put(stretchKey(id, start, end), bytes, headers);
      kept = end;
      waiting = [];
      waitingBytes = 0;
      // Should that fail, it goes with the upload.
      if (shorter) await this.#bucket.remove(shorter).catch(() => {});
    };
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        for (let rest = chunk; rest.length > 0; ) {
          const room = stretchBytes - ((kept + waitingBytes) % stretchBytes);
          const piece = rest.subarray(0, room);
          waiting.push(piece);
          waitingBytes += piece.length;
          rest = rest.subarray(room);
          if (piece.length === room) await keep();
        }
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof UploadNotFound)) await keep();
      throw error;
    }
    await keep();
    return kept;
  }

  override async remove(id: string): Promise<void> {
    const keys = await this.#keysOf(id);
    if (keys.length === 0) throw new UploadNotFound(id);
    await this.#removeAll(keys);
  }

  async withFile<T>(id: string, bytes: number, use: (file: string) => Promise<T>): Promise<T> {
    const file = path.join(this.#folder, `${id}.${randomUUID()}.tmp`);
    await mkdir(this.#folder, { recursive: true });
    try {
      const handle = await open(file, 'wx');
      try {
        for (let start = 0; start < bytes; start += stretchBytes) {
          const end = Math.min(start + stretchBytes, bytes);
          await handle.writeFile(await this.#read(id, stretchKey(id, start, end)));
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
          // Gone meanwhile: it may end at any moment.
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

  /** @param start what the ids begin with */
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
    return JSON.parse(String(await this.#read(id, infoKey(id)))) as UploadInfo;
  }

  /** @throws UploadNotFound when the upload was deleted meanwhile; StoreUnavailable */
  async #read(id: string, key: string): Promise<Buffer> {
    try {
      return await this.#bucket.get(key);
    } catch (error) {
      throw error instanceof ObjectNotFound ? new UploadNotFound(id, error) : error;
    }
  }

  async #keysOf(id: string): Promise<string[]> {
    const objects = await Array.fromAsync(this.#bucket.list(`${id}/`));
    return objects.map(({ key }) => key);
  }

  /** The info first: an upload without it is gone, whatever else is left of it. */
  async #removeAll(keys: string[]): Promise<void> {
    const [infos = [], others = []] = [true, false].map((isInfo) =>
      keys.filter((key) => key.endsWith(`/${infoName}`) === isInfo),
    );
    for (const group of [infos, others]) {
      await Promise.all(group.map((key) => this.#bucket.remove(key)));
    }
  }
}

const infoKey = (id: string) => `${id}/${infoName}`;
const stretchKey = (id: string, start: number, end: number) => `${id}/${start}-${end}`;

/** How far the stretches reach without a gap. */
function offsetOf(id: string, keys: string[]): number {
  const ends = new Map<number, number>();
  for (const key of keys) {
    const [, start, end] = stretchName.exec(key.slice(id.length + 1)) ?? [];
    ends.set(Number(start), Math.max(Number(end), ends.get(Number(start)) ?? 0));
  }
  let offset = 0;
  while (offset % stretchBytes === 0 && ends.has(offset)) offset = ends.get(offset) ?? offset;
  return offset;
}
