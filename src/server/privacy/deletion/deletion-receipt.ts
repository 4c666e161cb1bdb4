import type { DeletedContent, DeletionReceipt } from '../../../shared/account-settings.ts';
import { limits } from '../../../shared/limits.ts';
import { type Database, toInstant } from '../../database/tables.ts';

type Kept = DeletionReceipt['stays'][number];

const ofContent: Record<DeletedContent, Kept> = {
  anonymous: {
    what: 'Tus comentarios y tus canales, con sus imágenes, sin tu nombre salvo donde lo escribieras tú',
    why: 'Elegiste dejarlos para que las conversaciones se entiendan.',
    until: 'mientras exista el foro',
  },
  erase: {
    what: 'Los canales tuyos en los que escribieron otras personas, sin tu nombre y sin portada',
    why: 'Contienen lo que escribieron ellas.',
    until: 'mientras exista el foro',
  },
};

const always: Kept[] = [
  {
    what: 'Lo que otras personas escribieron sobre ti y las imágenes iguales a las tuyas que subieron',
    why: 'Es suyo. Donde te mencionaron aparecerá «@cuenta eliminada».',
    until: 'hasta que ellas lo eliminen',
  },
  {
    what: 'Lo que alguien denunció de lo tuyo, como estaba entonces',
    why: 'El equipo de moderación tiene que poder decidirlo, y explicarlo después.',
    until: `hasta ${limits.trashDays} días después de la decisión`,
  },
  {
    what: 'El registro de lo que se decidió y se hizo con tu cuenta y el número de tus denuncias, sin tu nombre ni textos, y huellas irreversibles de los nombres de tus imágenes',
    why: 'Sirve para comprobar que nadie actuó sin permiso y para que ninguna dirección muestre otra imagen.',
    until: 'mientras exista el foro',
  },
  {
    what: 'Copias de seguridad anteriores; junto a ellas, una huella irreversible del identificador de tu cuenta con lo que solicitaste y cuándo; y restos en el disco del servidor y copias en navegadores, que el foro ya no muestra',
    why: `Sirven para recuperar el foro. Si se usa una copia, por esa huella tu cuenta se borra otra vez o, si aún podías cancelarlo, tu solicitud vuelve a empezar, con otros ${limits.deletionDays} días. Los restos se reutilizan poco a poco.`,
    until:
      'las copias de seguridad, la huella y los restos, hasta que los elimine quien administra el foro; lo que guardan los navegadores, un año como mucho',
  },
];

/**
 * Counts everything that an account wrote and uploaded, including hidden and deleted items, and lists the data that
 * stays.
 */
export async function makeReceipt(
  db: Database,
  accountId: string,
  content: DeletedContent,
  requestedAtMs: number,
): Promise<DeletionReceipt> {
  return {
    requestedAt: toInstant(requestedAtMs),
    content,
    comments: await countOf(db, 'comments', accountId),
    channels: await countOf(db, 'channels', accountId),
    images: await countOf(db, 'images', accountId),
    stays: [ofContent[content], ...always],
  };
}

async function countOf(
  db: Database,
  table: 'comments' | 'channels' | 'images',
  accountId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom(table as 'comments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Parses the stored choice of what happens to an erased account's content. */
export function contentOf(stored: string | null): DeletedContent {
  return stored === 'erase' ? 'erase' : 'anonymous';
}
