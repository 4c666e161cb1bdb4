import type { Channel } from '../../src/shared/channels.ts';
import { limits } from '../../src/shared/limits.ts';
import type { Person } from '../forum/forum.ts';
import { writeComments } from './comments.ts';
import { openChannelWithCover } from './community.ts';
import { test as base, expect, oncePerForum } from './fixtures.ts';

/** People and channels with texts of all kinds, some of them hard to lay out. */
export interface SampleForum {
  ana: Person;
  /** Has a name and an e-mail address of the maximum length that offer no line break. */
  longNamed: Person;
  channel: Channel;
  emptyChannel: Channel;
  /** All its texts are hard to lay out. */
  unruly: Channel;
}

export const longWord = 'electroencefalografistamente';
const family = '👩‍👩‍👧‍👦';

/** Letters with stacked accents, which reach far above and below their line. */
export const piledAccents = `a${'\u030d\u0316'.repeat(limits.marksInARow / 2)}`
  .repeat(8)
  .normalize('NFC');

export const unrulyTexts = {
  name: longWord.repeat(5).slice(0, 120),
  description: `${longWord.repeat(8)}\n\nمرحبا بكم في القناة، نتحدث هنا عن كل شيء\nhttps://ejemplo.es/${'camino'.repeat(30)}?q=${'ñ'.repeat(60)}`,
  comments: [
    longWord.repeat(20),
    family.repeat(80),
    'شكرا جزيلا على هذا الاقتراح! ¿Quedamos el martes? שלום לכולם',
    `https://ejemplo.es/${'a'.repeat(300)}`,
    piledAccents,
    '\u202eal revés\u202c \u2067בעד\u2069 \ufeff',
    'مرحبا Amparo',
    `uno\ndos\n\n\n${'—'.repeat(200)}\ntres`,
  ],
};

export const test = base.extend<{ sample: SampleForum }>({
  forumName: 'sample',
  sample: async ({ forum }, use) => use(await sampleOf(forum)),
});

export { expect };

export const sampleOf = oncePerForum(async (forum): Promise<SampleForum> => {
  const ana = await forum.person('Ana Belén');
  const longNamed = await forum.person(
    longWord.repeat(3).slice(0, 80),
    `${longWord.repeat(8).slice(0, 190)}${crypto.randomUUID()}@ejemplo.es`,
  );
  await forum.person(`Amparo ${'electroencefalografista'.repeat(3)}`);
  await forum.person('Amparo حداد ليلى');
  await forum.person('Amparo de la Fuente y Ruiz de Alarcón');
  const channel = await openChannelWithCover(forum, ana, {
    name: 'Huertos de azotea',
    description: 'Lo que crece en macetas. Ideas en https://ejemplo.es/huertos y aquí mismo.',
  });
  await writeComments(forum, ana, channel, [
    'Los tomates ya están rojos 🍅',
    'Riego por goteo:\nhttps://ejemplo.es/riego',
  ]);
  const emptyChannel = await openChannelWithCover(forum, ana, { name: 'Cine de barrio' });
  const { name, description, comments } = unrulyTexts;
  const unruly = await openChannelWithCover(forum, longNamed, { name, description });
  await writeComments(forum, longNamed, unruly, comments);
  return { ana, longNamed, channel, emptyChannel, unruly };
});
