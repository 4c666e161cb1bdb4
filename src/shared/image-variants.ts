/**
 * The widths in pixels in which an image is kept beside its full size, by its use: what the pages
 * show, its half and its double, and for faces the small sizes of header and comments.
 */
export const imageVariants = {
  cover: { widths: [500, 1000, 2000], aspectRatio: 1000 / 400 },
  avatar: { widths: [45, 90, 180, 360], aspectRatio: 1 },
} as const;

/** File ending of every form: what all browsers of the last years read. */
export const variantExtension = 'webp';

/** The image that link previews show, made from a cover. */
export const shareCard = { file: 'card.jpg', width: 1200, height: 630 } as const;
