import { numberText } from '../../shared/number-texts.ts';

/** Texts of a person's page. */
export const personTexts = {
  hidden: (name: string) => `Todo lo de ${name} está oculto. Esto solo lo ve quien modera.`,
  unseen: (name: string) =>
    `Nadie ha aprobado nada de ${name} todavía. Esto solo lo ve quien modera.`,
  personFailed: 'No se pudo cargar esta página',
  memberSince: 'En tertulia desde el',
  channelsOfPerson: 'Canales',
  noChannelsOfPerson: 'Aún no ha creado ningún canal.',
  otherChannels: (count: number) =>
    count === 1 ? 'Ver 1 canal más' : `Ver ${numberText(count)} canales más`,
  commentsOfPerson: 'Últimos comentarios',
  noCommentsOfPerson: 'Aún no ha escrito ningún comentario.',
  moreOfPerson: 'Ver más comentarios',
  commentIn: 'en',
  aboutPerson: (name: string) => `Canales y comentarios de ${name} en tertulia.`,
} as const;
