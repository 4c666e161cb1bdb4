import { hash } from 'node:crypto';
import type { Tables } from '../../database/tables.ts';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { fullVariant, variantOf } from '../../images/stores/storage-keys.ts';
import { codeOf } from '../../system/error-code.ts';
import { meansMissing } from '../../system/missing.ts';

/** Unreadable objects after which a bucket counts as unavailable although it responds: each takes seconds. */
const maxFailures = 10;

interface ReadObject {
  /** Undefined when the object cannot be read. */
  bytes?: Buffer;
  /** The key of an object that is missing, unreadable or damaged, followed by its fault unless it is missing. */
  problem?: string;
}

/**
 * @returns a function that reads an object of an image
 * @throws StoreUnavailable when the bucket does not work, since it may work at the next attempt
 */
export function objectReader(store: ImageStore) {
  let failures = 0;
  return async (key: string, { md5 }: Pick<Tables['images'], 'md5'>): Promise<ReadObject> => {
    try {
      const bytes = await store.readWhole(key);
      const isDamaged = variantOf(key) === fullVariant && hash('md5', bytes, 'base64') !== md5;
      return isDamaged ? { bytes, problem: `${key} (damaged)` } : { bytes };
    } catch (error) {
      if (meansMissing(error)) return { problem: key };
      if (error instanceof StoreUnavailable) {
        failures++;
        if (failures === maxFailures) throw error;
        await store.check();
        return { problem: `${key} (unreadable)` };
      }
      // A file system error, such as EACCES or EIO.
      const code = codeOf(error);
      if (typeof code !== 'string') throw error;
      return { problem: `${key} (${code})` };
    }
  };
}
