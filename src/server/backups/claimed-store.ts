import { randomUUID } from 'node:crypto';
import { writeIdentity } from '../images/site-identity.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { unlessMissing } from '../missing.ts';
import { OperatorError } from '../operator-error.ts';
import { UnfitTarget } from './restore-target.ts';

/**
 * Key of an object that exists from before the first image of a restore until its last step. While it
 * exists, all images in the store come from unfinished restores and belong to no site.
 */
const markKey = 'restoring';

/**
 * An image store that a restore fills. A restore never removes an image: when it fails, its images and
 * the marker stay, and the next restore overwrites them.
 */
export class ClaimedStore {
  /** Images that this restore has written. */
  written = 0;
  isReleased = false;
  readonly #images: ImageStore;
  readonly #mark = Buffer.from(`${randomUUID()}\n`);

  private constructor(images: ImageStore) {
    this.#images = images;
  }

  /** @throws UnfitTarget when the store has images of a site */
  static async claim(images: ImageStore): Promise<ClaimedStore> {
    if (!(await readMark(images))) {
      for await (const { key } of images.list()) {
        throw new UnfitTarget(`The image store has images, for example ${key}.`);
      }
    }
    const store = new ClaimedStore(images);
    await images.write(markKey, store.#mark, 'text/plain');
    return store;
  }

  async write(key: string, bytes: Buffer, contentType: string): Promise<void> {
    await this.#images.write(key, bytes, contentType);
    this.written++;
  }

  /** Whether another restore, into another database, has claimed the store since. */
  async isTaken(): Promise<boolean> {
    return !(await readMark(this.#images))?.equals(this.#mark);
  }

  /**
   * Makes the images belong to a site and removes the marker. Call it as the last step before the rows are committed.
   * @throws OperatorError when another restore, into another database, has claimed the store since
   */
  async release(identity: string): Promise<void> {
    if (await this.isTaken()) {
      throw new OperatorError(
        'Another restore, into another database, has taken the image store. Restore again with an image store of its own.',
      );
    }
    await writeIdentity(this.#images, identity);
    this.isReleased = true;
    await this.#images.remove(markKey);
  }
}

function readMark(images: ImageStore): Promise<Buffer | undefined> {
  return unlessMissing(images.readWhole(markKey));
}
