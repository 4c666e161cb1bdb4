/**
 * Widths in pixels of the variants that are stored with an image's full size, by its use: the width shown on pages,
 * its half and its double, and for avatars twice the small and the large size on pages.
 */
export const imageVariants = {
  cover: { widths: [500, 1000, 2000], aspectRatio: 1000 / 400 },
  avatar: { widths: [90, 360], aspectRatio: 1 },
  /** Not cropped. */
  comment: { widths: [500, 1000, 2000], aspectRatio: null },
} as const;

/** File extension of every variant: a format that all current browsers support. */
export const variantExtension = 'webp';

/** The image that link previews show, made from a cover, from an image of a comment, or of tiles. */
export const shareCard = { file: 'card.jpg', width: 1200, height: 630 } as const;
