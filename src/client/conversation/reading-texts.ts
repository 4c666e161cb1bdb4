import { numberText } from '../../shared/number-texts.ts';

/** Texts of a channel's page that every visitor reads. */
export const readingTexts = {
  you: 'tú',
  /** The conjunction before a name: 'Ana y Luis', 'Ana e Inés'. */
  and: (name: string) => (/^h?[ií](?![aeou])/i.test(name) ? 'e' : 'y'),
  imageOf: (number: number, count: number) =>
    count === 1 ? 'Imagen del comentario' : `Imagen ${number} de ${count} del comentario`,
  editChannel: 'Editar canal',
  newComments: (count: number) =>
    count === 1 ? '1 comentario nuevo' : `${numberText(count)} comentarios nuevos`,
} as const;
