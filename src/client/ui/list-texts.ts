import { numberText } from '../../shared/number-texts.ts';

/** Texts that the pages of lists share with each other or with forms, but not with the page of a channel. */
export const listTexts = {
  createChannel: 'Crear Canal',
  commentCount: (count: number) =>
    count === 1 ? '1 comentario' : `${numberText(count)} comentarios`,
  searchByAuthor: 'Buscar en sus comentarios',
} as const;
