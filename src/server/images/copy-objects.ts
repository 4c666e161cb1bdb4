import type { ImageRow } from './image-queries.ts';
import { ObjectNotFound } from './stores/errors.ts';
import type { ImageStore } from './stores/image-store.ts';
import {
  contentTypeOf,
  fullVariant,
  objectKey,
  objectKeysOf,
  variantOf,
} from './stores/storage-keys.ts';

/** What was copied of an image. */
interface Copied {
  /** Keys of the copies. */
  written: string[];
  /** Bytes of the full size; undefined when its object is lost. */
  full: Buffer | undefined;
  /** Whether every object was there. */
  isWhole: boolean;
}

/** Copies the objects of an image to those of another id, except the ones that are lost. */
export async function copyObjects(
  images: ImageStore,
  image: ImageRow,
  imageId: string,
): Promise<Copied> {
  const copied: Copied = { written: [], full: undefined, isWhole: true };
  for (const key of objectKeysOf(image)) {
    const variant = variantOf(key);
    const bytes = await readIfThere(images, key);
    if (!bytes) {
      copied.isWhole = false;
      continue;
    }
    if (variant === fullVariant) copied.full = bytes;
    const copy = objectKey(imageId, variant);
    await images.write(copy, bytes, contentTypeOf(variant, image.content_type));
    copied.written.push(copy);
  }
  return copied;
}

async function readIfThere(images: ImageStore, key: string): Promise<Buffer | undefined> {
  try {
    return await images.readWhole(key);
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined;
    throw error;
  }
}
