import { unlessMissing } from '../missing.ts';
import type { ImageRow } from './image-queries.ts';
import type { ImageStore } from './stores/image-store.ts';
import {
  contentTypeOf,
  fullVariant,
  objectKey,
  objectKeysOf,
  variantOf,
} from './stores/storage-keys.ts';

/** The copied objects of an image. */
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
    const bytes = await unlessMissing(images.readWhole(key));
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
