import type { Arrival, DecisionSubject, Queue, QueueItem } from '../../shared/moderation.ts';

/** The server counts up to this, and then there may be more. */
export const counted = 1000;

/** Texts of the page of moderators. */
export const queueTexts = {
  tabs: { open: 'Pendientes', pending: 'Por aprobar', decided: 'Decididas', raid: 'Oleada' },
  /** Until the server has answered, the tabs have about the same width. */
  count: (waiting = NaN) =>
    ` (${waiting >= counted ? `${counted - 1}+` : Number.isNaN(waiting) ? '…' : waiting})`,
  settings: 'Ajustes',
  log: 'Registro público',
  refresh: 'Actualizar',
  refreshed: ({ open, pending }: Queue['counts']) =>
    `Lista al día: ${queueTexts.tabs.open}${queueTexts.count(open)}, ${queueTexts.tabs.pending}${queueTexts.count(pending)}.`,
  failed: 'No se pudo cargar la lista.',
  empty: 'Aquí no queda nada.',
  notApproved: 'No se pudo aprobar.',
  /** Why something waits. */
  holdReasons: {
    first_post: 'Primera publicación',
    fast_sign_up: 'Se registró en menos de 3 segundos',
    links: 'Muchos enlaces con una cuenta nueva',
    channels: 'Muchos canales con una cuenta nueva',
    comments: 'Muchos comentarios con una cuenta nueva',
    sign_up: 'Pide entrar',
  } satisfies Record<NonNullable<QueueItem['held']>, string>,
  ifSpam: 'Si entra publicidad,',
  holdPosts: 'puedes revisar la primera publicación de cada cuenta',
  more: 'Más',
  keys: 'Con el teclado: j y k pasan de un caso a otro, y las letras de los botones actúan sobre el que tienes delante.',

  kinds: {
    comment: 'Comentario de',
    channel: 'Canal de',
    user: 'Persona:',
    appeal: 'Recurso de',
  } satisfies Record<Exclude<DecisionSubject['kind'], 'users'>, string>,
  accounts: (count: number) => accountCount(count),
  wrote: 'Lo último que ha escrito',
  /** Why a case without reports is here. */
  edited: 'Editado en los primeros días, con una dirección o una imagen nuevas',
  reportedBy: (count: number) =>
    count === 1 ? 'lo denuncia 1 persona' : `lo denuncian ${count} personas`,
  inChannel: 'En',
  cover: 'Portada',
  states: {
    hidden: 'Está oculto',
    deleted: 'Quien lo escribió lo ha eliminado',
    erased: 'Se ha borrado para siempre',
    held: 'Espera a que alguien lo apruebe',
  },
  before: 'Así decía antes',
  now: 'Así dice ahora',
  appealed: 'La decisión',
  appeal: 'Lo que responde',
  explanations: 'Lo que dicen las denuncias',
  said: ' · decía entonces: ',
  guest: 'Alguien sin cuenta',
  author: 'Quién es',
  since: (date: string) => `desde el ${date}`,
  noHistory: 'ninguna decisión antes',
  history: (count: number) => (count === 1 ? '1 decisión antes' : `${count} decisiones antes`),

  uphold: 'Mantener',
  grant: 'Dar la razón',
  decided: (text: string) => `Decidido: ${text}`,
  others: (count: number) =>
    count === 1 ? '1 decisión sin denuncia' : `${count} decisiones sin denuncia`,
} as const;

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
const accountCount = (count: number) => many(count, 'cuenta', 'cuentas');

/** Texts about raids. */
export const raidTexts = {
  intro:
    'Cuando llegan muchas cuentas de golpe a molestar. Están marcadas las que nadie ha aprobado: quita la marca a quien no tenga que ver y ocúltalo todo con una sola decisión, que se deshace de una vez.',
  from: 'Abiertas desde',
  to: 'Hasta',
  list: 'Ver las cuentas',
  person: 'Ver su página',
  approved: 'aprobada',
  none: 'No se abrió ninguna cuenta en ese tiempo.',
  chosen: (count: number, all: number) =>
    `${count} de ${accountCount(all)}, las más nuevas primero.`,
  newest: 'Hay más: son las últimas. Después de ocultarlas, mira otra vez.',
  hide: (count: number) =>
    `Ocultar todo lo de ${count === 1 ? 'esta cuenta' : `estas ${count} cuentas`}`,
  wrote: ({ comments, channels, waiting }: Arrival) =>
    [
      comments > 0 && many(comments, 'comentario', 'comentarios'),
      channels > 0 && many(channels, 'canal', 'canales'),
      waiting > 0 && `${waiting} por aprobar`,
    ]
      .filter(Boolean)
      .join(', ') || 'sin publicar nada',
  hidden: (count: number) => `Se ha ocultado todo lo de ${accountCount(count)}.`,
} as const;
