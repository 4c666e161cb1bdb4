import type { Action, Decision, Queue, QueueItem } from '../../shared/moderation.ts';
import { directions } from '../texts.ts';
import { decidedTexts } from './log-texts.ts';

export { actionTexts } from '../components/subject-actions.ts';
export { categoryTexts, decidedTexts } from './log-texts.ts';

/** Texts of the form that makes a decision, and of decisions in lists. */
export const decisionTexts = {
  /** The effect of each action, shown before it is done. */
  effects: {
    hide: 'Deja de verse para todo el mundo. Se puede deshacer.',
    restore: 'Vuelve a verse.',
    dismiss: 'Se queda como está.',
    silence: 'Podrá leer, pero no escribir.',
    suspend: 'No podrá usar su cuenta.',
    release: 'Podrá volver a escribir.',
    hideAll:
      'Deja de verse todo lo escrito, y no se podrá escribir más. Se puede deshacer de una vez.',
    approve: 'Se publica, y desde ahora lo suyo no espera.',
    reject: 'No se publica. Quien lo escribió recibe el texto y el motivo.',
  } satisfies Record<NewDecision['action'], string>,
  notLetIn: 'No podrá entrar. Lee el motivo al iniciar sesión, y a los 30 días se borra la cuenta.',
  category: 'Categoría',
  until: 'Durante',
  days: (count: number) => {
    if (count === 0) return 'Sin fecha de fin';
    return count === 1 ? '1 día' : `${count} días`;
  },
  reason: 'Motivo',
  optionalReason: 'Motivo (opcional)',
  reasonHint: 'Lo leerá la persona afectada.',
  notDecided: (label: string) => `No se guardó tu decisión: ${label}.`,
  decidedBefore: ({ action, decidedBy, undoneAt }: Decision) =>
    `Ya estaba ${undoneAt ? 'deshecho' : 'decidido'}: ${decidedTexts[action]} · ${decidedBy.replace(directions, '') || decisionTexts.operator}`,
  untilDate: (date: string) => `hasta el ${date}`,
  operator: 'Quien administra el servidor',
} as const;

/** Texts of what moderators do on public pages too. */
export const staffTexts = {
  hiddenPerson: (name: string) => `Todo lo de ${name} está oculto. Esto solo lo ve quien modera.`,
  unseenPerson: (name: string) =>
    `Nadie ha aprobado nada de ${name} todavía. Esto solo lo ve quien modera.`,
  undo: 'Deshacer',
  undone: 'Deshecho',
  notUndone: 'No se pudo deshacer.',

  versions: 'Versiones anteriores',
  until: 'hasta',
  now: 'Ahora',
  close: 'Cerrar',
} as const;

/** Texts of the page of moderators. */
export const queueTexts = {
  tabs: { open: 'Pendientes', pending: 'Por aprobar', decided: 'Decididas', wave: 'Oleada' },
  /** The server counts to 1000. Until it has answered, the tabs have about the same width. */
  count: (open: number | undefined) => ` (${open === 1000 ? '999+' : (open ?? '…')})`,
  settings: 'Ajustes',
  log: 'Registro público',
  refresh: 'Actualizar',
  refreshed: ({ open, pending }: Queue['counts']) =>
    `Lista al día: ${queueTexts.tabs.open}${queueTexts.count(open)}, ${queueTexts.tabs.pending}${queueTexts.count(pending)}.`,
  failed: 'No se pudo cargar la lista.',
  roleLost: 'Ya no formas parte del equipo de moderación.',
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
    arrivals: 'Ver la oleada',
  },
  appealOf: 'Recurso de',
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

const accountCount = (count: number) => (count === 1 ? '1 cuenta' : `${count} cuentas`);

/** Texts about raids. */
export const waveTexts = {
  intro:
    'Cuando llegan muchas cuentas de golpe a molestar: elige desde y hasta cuándo se abrieron, deja fuera a quien no tenga que ver y ocúltalo todo con una sola decisión. También se deshace de una vez.',
  from: 'Abiertas desde',
  to: 'Hasta',
  list: 'Ver las cuentas',
  person: 'Ver su página',
  chosen: (count: number, all: number) => {
    if (all === 0) return 'No se abrió ninguna cuenta en ese tiempo.';
    return count === all
      ? `${accountCount(all)}, las más nuevas primero.`
      : `${count} de ${accountCount(all)}.`;
  },
  hide: (count: number) => `Ocultar todo lo de ${accountCount(count)}`,
  wrote: ({ comments, channels }: { comments: number; channels: number }) => {
    if (comments + channels === 0) return 'sin publicar nada';
    const texts = [
      comments > 0 && (comments === 1 ? '1 comentario' : `${comments} comentarios`),
      channels > 0 && (channels === 1 ? '1 canal' : `${channels} canales`),
    ];
    return texts.filter(Boolean).join(' y ');
  },
  hidden: (count: number) => `Se ha ocultado todo lo de ${accountCount(count)}.`,
  hides: (count: number) => `Ocultando todo lo de ${accountCount(count)}…`,
  shown: (count: number) => `Se ha deshecho: vuelve a verse lo de ${accountCount(count)}.`,
  shows: (count: number) => `Deshaciendo: vuelve a verse lo de ${accountCount(count)}…`,
  remaining: (count: number, all: number) => `Quedan ${count} de ${accountCount(all)}`,
} as const;
