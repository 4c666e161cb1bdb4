/** An uploaded file cannot be stored as an image. */
export abstract class ImageRejected extends Error {}

/** The file is not a complete image of an accepted format. */
export class NotAnImage extends ImageRejected {
  constructor(cause?: unknown) {
    super('not an image', { cause });
  }
}

/** The image has too many pixels, or decoding it takes too much memory. */
export class ImageTooLarge extends ImageRejected {
  readonly limit: 'pixels' | 'memory';

  constructor(limit: 'pixels' | 'memory') {
    super(`the image exceeds the limit of ${limit}`);
    this.limit = limit;
  }
}

/** The image does not fit into the account's quota. */
export class ImageQuotaExceeded extends ImageRejected {
  readonly quotaMb: number;

  constructor(quotaMb: number) {
    super(`the account's images exceed ${quotaMb} MB`);
    this.quotaMb = quotaMb;
  }
}

/** Too many images wait to be decoded. */
export class DecodingQueueFull extends Error {
  constructor() {
    super('too many images wait to be decoded');
  }
}

/** A URL of this site names an image that does not exist. */
export class ImageNotFound extends Error {
  readonly field: 'cover' | 'img' | 'images';

  constructor(field: ImageNotFound['field'], url: string) {
    super(`no image ${url}`);
    this.field = field;
  }
}
