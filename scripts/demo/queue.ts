import type { NewReport } from '../../src/shared/moderation.ts';
import type { DemoChannel } from './content.ts';
import type { DemoClient } from './demo-client.ts';

/** Key of the person who moderates the demo. */
export const moderatorKey = 'pilar';

/** Reports of comments, found by a part of their text; a report without such a part is about a channel. */
const reports: (Pick<NewReport, 'reason' | 'text'> & {
  by: string[];
  slug: string;
  part?: string;
})[] = [
  {
    by: ['rocio', 'andres'],
    slug: 'cafes-con-mesa-libre',
    part: 'https://ejemplo.es/cafes/con-enchufe',
    reason: 'spam',
    text: '¿No es esto publicidad de tres cafés?',
  },
  {
    by: ['merce'],
    slug: 'vecinos-de-cuatro-patas',
    part: 'Busco con quién dejar a mi perra',
    reason: 'personal_data',
    text: 'Dice qué días no hay nadie en su casa. Igual no se ha dado cuenta.',
  },
  {
    by: ['carmen'],
    slug: 'bicis-y-ciudad',
    part: 'Entonces la mía está a salvo',
    reason: 'abuse',
    text: 'Creo que se ríe de la mía.',
  },
  {
    by: ['hector'],
    slug: 'objetos-perdidos',
    reason: 'other',
    text: 'Ya hay un canal igual del Ateneo.',
  },
];

const spam = [
  '¡SOLO HOY! Gafas de sol a 9,90: https://ejemplo.es/chollos/gafas',
  'Gana 300 euros al día desde el sofá: https://ejemplo.es/chollos/sofa',
  'Zapatillas de marca al 80 %: https://ejemplo.es/chollos/zapatillas',
];

/**
 * Fills the moderator's queue: reports, and an appeal by an account whose spam was hidden.
 * @param tokenOf token of a person by key
 * @param channels ids by file name
 */
export async function fillQueue(
  client: DemoClient,
  contents: DemoChannel[],
  channels: Map<string, string>,
  tokenOf: (key: string) => string,
): Promise<void> {
  for (const { by, slug, part, reason, text } of reports) {
    const content = contents.find((one) => one.slug === slug);
    const index = content?.comments.findIndex((one) => one.text.includes(part ?? '')) ?? -1;
    const channelId = channels.get(slug);
    if (!channelId || index < 0) throw new Error(`"${slug}" has no comment with "${part}"`);
    const subject = part
      ? { kind: 'comment' as const, id: `${channelId}-${index + 1}` }
      : { kind: 'channel' as const, id: channelId };
    for (const key of by)
      await client.report(tokenOf(key), { ...subject, reason, text: text ?? '' });
  }

  const spammer = { name: 'Chollos al día', email: 'chollos@ejemplo.es', password: 'solo-por-hoy' };
  await client.signUp({ ...spammer, img: null });
  const { token, user } = await client.signIn(spammer.email, spammer.password);
  const [id = ''] = channels.values();
  for (const comment of spam) await client.comment(token, { id, comment });
  const decision = await client.decide(tokenOf(moderatorKey), {
    subject: { kind: 'user', id: user.id },
    action: 'hideAll',
    category: 'spam',
    reason: 'Tres anuncios seguidos en un canal que no va de compras.',
  });
  await client.appeal(token, decision.id, {
    text: 'Son ofertas de verdad y a la gente le gustan. ¿Puedo ponerlas en un canal aparte?',
  });
}
