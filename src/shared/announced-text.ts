import type { Comment } from './comments.ts';
import { changeLines } from './event-change-texts.ts';

/** What an announcement says: its text, its dates, the names of its files, and that it has images. */
export function announcedText({
  comment,
  event,
  images,
  files,
}: Pick<Comment, 'comment' | 'event' | 'images' | 'files'>): string {
  const dates = event
    ? changeLines(
        event.dates
          .filter(({ cancelled }) => !cancelled)
          .map(({ start, end }) => ({
            ...{ start, end, location: event.location },
            ...{ cancelled: false, reason: '', before: null },
          })),
      ).map((line) => line.replace(/: sí se hacen?$/, ''))
    : [];
  return [
    comment,
    event && [event.title, ...dates].join('\n'),
    ...files.map(({ name }) => `Archivo: ${name}`),
    ...images.map(({ alt }) => (alt ? `Imagen: ${alt}` : 'Con una imagen.')),
  ]
    .filter(Boolean)
    .join('\n\n');
}
