import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import { meansMissing, unlessMissing } from '../../system/missing.ts';
import { UploadNotFound } from './upload-errors.ts';
import { isUploadOf } from './upload-id.ts';

const infoEnding = '.json';

/** An upload that is incomplete, or complete and not yet processed. */
interface OpenUpload {
  id: string;
  /** Declared length in bytes; undefined while the client has not sent it. */
  size: number | undefined;
  isComplete: boolean;
  /** Whether it is a chat that is brought, which counts towards no quota. */
  isChat: boolean;
  /** When bytes were last stored, or the upload was created, in milliseconds since 1970. */
  progressAtMs: number;
}

/**
 * Stores unfinished uploads as files in one folder, which the processes of a machine share: the bytes as `<id>` and
 * the client's metadata as `<id>.json`.
 */
export class UploadStore extends FileStore {
  /** @throws when the folder cannot be created; FileStore's constructor would end the process instead */
  static async open(folder: string): Promise<UploadStore> {
    await mkdir(folder, { recursive: true });
    return new UploadStore({ directory: folder });
  }

  /** @throws UploadNotFound when another process has taken or discarded the file */
  override async write(...parameters: Parameters<FileStore['write']>): Promise<number> {
    try {
      return await super.write(...parameters);
    } catch (error) {
      throw meansMissing(error) ? new UploadNotFound(error) : error;
    }
  }

  /**
   * Takes a complete upload out of reach of other requests. If several requests complete it at the same time, even in
   * different processes, one gets it. Follow with `discard` or `giveBack`.
   * @returns the path of the file
   * @throws UploadNotFound
   */
  async take(id: string): Promise<string> {
    const taken = this.#takenPath(id);
    try {
      await rename(this.#path(id), taken);
    } catch (error) {
      throw meansMissing(error) ? new UploadNotFound(error) : error;
    }
    return taken;
  }

  /** Lets the client complete a taken upload again. Never throws. */
  async giveBack(id: string): Promise<void> {
    await rename(this.#takenPath(id), this.#path(id)).catch(() => {});
  }

  /** Removes an upload in any state. Never throws: the sweep removes what remains. */
  async discard(id: string): Promise<void> {
    const files = [this.#path(id), this.#takenPath(id), this.#path(id) + infoEnding];
    await Promise.all(files.map((file) => rm(file, { force: true }).catch(() => {})));
  }

  /** Lists the uploads of an account on this machine. */
  async listOpen(accountId: string): Promise<OpenUpload[]> {
    const ids = (await readdir(this.directory))
      .filter((name) => name.endsWith(infoEnding))
      .map((name) => name.slice(0, -infoEnding.length))
      .filter((id) => isUploadOf(accountId, id));
    const uploads = await Promise.all(ids.map((id) => this.#describe(id)));
    return uploads.filter((upload) => upload !== undefined);
  }

  /** Undefined when the upload has been removed. */
  async #describe(id: string): Promise<OpenUpload | undefined> {
    const info = await this.configstore.get(id);
    const file =
      (await unlessMissing(stat(this.#path(id)))) ??
      (await unlessMissing(stat(this.#takenPath(id))));
    if (!info || !file) return undefined;
    const isComplete = file.size === info.size;
    const isChat = info.metadata?.use === 'import';
    return { id, size: info.size, isComplete, isChat, progressAtMs: file.mtimeMs };
  }

  #path(id: string): string {
    return path.join(this.directory, id);
  }

  #takenPath(id: string): string {
    return `${this.#path(id)}.taken`;
  }
}
