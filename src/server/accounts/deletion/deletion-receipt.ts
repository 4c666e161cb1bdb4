import type { DeletedContent, DeletionReceipt } from '../../../shared/account-settings.ts';
import { type Database, toInstant } from '../../database/tables.ts';

type Kept = DeletionReceipt['stays'][number];

const always: Kept[] = [
  {
    what: 'Copias de tus páginas en servidores intermedios',
    why: 'Se guardan un momento para que el foro responda antes.',
    until: 'hasta 30 segundos después del borrado',
  },
  {
    what: 'Imágenes que ya se descargaron',
    why: 'Los navegadores de quienes las vieron las guardan.',
    until: 'como mucho, un año',
  },
  {
    what: 'Copias de seguridad anteriores',
    why: 'Sirven para recuperar el foro. Si se usa una, tu cuenta se borra otra vez.',
    until: 'hasta que las elimine quien administra el foro',
  },
  {
    what: 'Lo que alguien denunció de lo tuyo, como estaba entonces',
    why: 'Quienes moderan tienen que poder decidirlo, y explicarlo después.',
    until: 'hasta 30 días después de la decisión',
  },
  {
    what: 'Las decisiones de moderación sobre lo tuyo y el número de tus denuncias, sin tu nombre ni textos',
    why: 'Forman parte del registro público de moderación.',
    until: 'mientras exista el foro',
  },
  {
    what: 'Registro de lo que se hizo con la cuenta, sin tu nombre ni tu correo',
    why: 'Sirve para comprobar que nadie actuó sin permiso.',
    until: 'mientras exista el foro',
  },
  {
    what: 'Huellas irreversibles de los nombres de tus imágenes',
    why: 'Impiden que una dirección muestre más adelante otra imagen.',
    until: 'mientras exista el foro',
  },
  {
    what: 'Una huella irreversible del identificador de tu cuenta, junto a las copias de seguridad',
    why: 'Sirve para borrarla otra vez si se recupera una copia anterior.',
    until: 'hasta que quien administra el foro elimine las copias',
  },
  {
    what: 'Imágenes iguales a las tuyas en otras cuentas',
    why: 'Cada cuenta tiene su propia copia, y esa no es tuya.',
    until: 'hasta que ellas la eliminen',
  },
  {
    what: 'Archivos de tus imágenes que no se puedan borrar a la primera',
    why: 'El almacén de imágenes puede no responder. Las páginas del foro ya no los muestran y cada hora se intenta borrarlos otra vez.',
    until: 'como mucho, un día después de que el almacén vuelva a responder',
  },
  {
    what: 'Lo que otras personas escribieron sobre ti con sus palabras',
    why: 'Es suyo. Donde te mencionaron aparecerá «@cuenta eliminada».',
    until: 'hasta que ellas lo eliminen',
  },
];

const ofContent: Record<DeletedContent, Kept[]> = {
  anonymous: [
    {
      what: 'Tus comentarios y tus canales, con sus imágenes, sin tu nombre',
      why: 'Elegiste dejarlos para que las conversaciones se entiendan.',
      until: 'mientras exista el foro',
    },
    {
      what: 'Tu nombre donde lo escribieras tú: en tus textos o en los nombres de tus imágenes',
      why: 'Lo que escribiste se queda como está. Si no quieres, elige que se borre todo.',
      until: 'mientras exista el foro',
    },
  ],
  erase: [
    {
      what: 'Los canales tuyos en los que escribieron otras personas, sin tu nombre y sin portada',
      why: 'Contienen lo que escribieron ellas.',
      until: 'mientras exista el foro',
    },
  ],
};

/** Counts everything that an account wrote and uploaded, hidden and deleted items included. */
export async function makeReceipt(
  trx: Database,
  accountId: string,
  content: DeletedContent,
  nowMs: number,
): Promise<DeletionReceipt> {
  return {
    id: crypto.randomUUID(),
    requestedAt: toInstant(nowMs),
    content,
    comments: await countOf(trx, 'comments', accountId),
    channels: await countOf(trx, 'channels', accountId),
    images: await countOf(trx, 'images', accountId),
    stays: [...ofContent[content], ...always],
  };
}

async function countOf(
  trx: Database,
  table: 'comments' | 'channels' | 'images',
  accountId: string,
): Promise<number> {
  const { count } = await trx
    .selectFrom(table as 'comments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
