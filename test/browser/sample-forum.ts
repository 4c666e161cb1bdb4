import type { Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { limits } from '../../src/shared/limits.ts';
import { pageRoutes, searchUrl } from '../../src/shared/routes.ts';
import type { Person } from '../forum/forum.ts';
import { writeComments } from './comments.ts';
import { openChannelWithCover } from './community.ts';
import { test as base, expect, oncePerForum } from './fixtures.ts';
import { openHome, timesAgo } from './hydration.ts';

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

const longWord = 'electroencefalografistamente';
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
    `uno\ndos\n\n\n${'—'.repeat(200)}\ntres`,
  ],
};

export const test = base.extend<{ sample: SampleForum }>({
  forumName: 'sample',
  sample: async ({ forum }, use) => use(await sampleOf(forum)),
});

export { expect };

const sampleOf = oncePerForum(async (forum): Promise<SampleForum> => {
  const ana = await forum.person('Ana Belén');
  const longNamed = await forum.person(
    longWord.repeat(3).slice(0, 80),
    `${longWord.repeat(8).slice(0, 190)}${crypto.randomUUID()}@ejemplo.es`,
  );
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

/** A view of the site. `show` opens it and waits until it is ready for use. */
export interface View {
  name: string;
  show: (page: Page, sample: SampleForum) => Promise<void>;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Waits for hydration: only then do times have a title with the full date. */
async function showChannel(page: Page, { _id }: Channel): Promise<void> {
  await page.goto(pageRoutes.channel(_id));
  await expect(timesAgo(page).first()).toBeVisible();
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await expect(page.getByRole('navigation', { name: 'Menú de usuario' })).toBeVisible();
}

async function showForm(page: Page, path: string, button: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main').getByRole('button', { name: button })).toBeEnabled();
}

const channelViews: View[] = [
  {
    name: 'a channel with comments',
    show: (page, { channel }) => showChannel(page, channel),
  },
  { name: 'an empty channel', show: (page, { emptyChannel }) => showChannel(page, emptyChannel) },
  { name: 'a channel of unruly texts', show: (page, { unruly }) => showChannel(page, unruly) },
];

const personView: View = {
  name: 'a person with unruly texts',
  async show(page, { longNamed }) {
    await page.goto(pageRoutes.user(longNamed.id));
    await expect(timesAgo(page).first()).toBeVisible();
  },
};

const searchViews: View[] = [
  {
    name: 'a search that finds channels and comments with unruly texts',
    async show(page) {
      await page.goto(searchUrl({ q: 'ejemplo' }));
      await expect(timesAgo(page).first()).toBeVisible();
      await expect(page.getByRole('region', { name: 'Canales' }).getByRole('link')).toHaveCount(2);
    },
  },
  {
    name: 'a search without hits',
    async show(page) {
      await page.goto(searchUrl({ q: `nada ${longWord.repeat(6)}` }));
      await heading(page, 'Buscar');
    },
  },
];

const notFound: View = {
  name: 'NotFound',
  async show(page) {
    await page.goto('/nada');
    await heading(page, 'Página no encontrada');
  },
};

const guestViews: View[] = [
  { name: 'home', show: (page) => openHome(page) },
  {
    name: 'home with the menu open',
    async show(page) {
      await openHome(page);
      await openMenu(page);
    },
  },
  { name: 'sign in', show: (page) => showForm(page, pageRoutes.login, 'Iniciar sesión') },
  {
    name: 'sign in with the error modal open',
    async show(page) {
      await showForm(page, pageRoutes.login, 'Iniciar sesión');
      await page.getByLabel('Correo electrónico').fill('nadie@ejemplo.es');
      await page.getByLabel('Contraseña').fill('no es esta');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name: 'Error' })).toBeVisible();
    },
  },
  { name: 'register', show: (page) => showForm(page, pageRoutes.register, 'Registrarse') },
  {
    name: 'new password',
    show: (page) => showForm(page, `${pageRoutes.password}#enlace`, 'Guardar la contraseña'),
  },
  ...channelViews,
  personView,
  ...searchViews,
  notFound,
];

const userViews: View[] = [
  {
    name: 'home',
    async show(page) {
      await openHome(page);
      await expect(page.getByRole('link', { name: 'Crear Canal' })).toBeVisible();
    },
  },
  {
    name: 'home with the menu open',
    async show(page) {
      await openHome(page);
      await expect(page.getByRole('link', { name: 'Crear Canal' })).toBeVisible();
      await openMenu(page);
    },
  },
  { name: 'create', show: (page) => showForm(page, pageRoutes.create, 'Crear Canal') },
  {
    name: 'create with its error',
    async show(page) {
      await showForm(page, pageRoutes.create, 'Crear Canal');
      await page.getByLabel('Título').fill('Sin portada');
      await page.getByLabel('Descripción').fill('Falta la imagen.');
      await page.getByRole('button', { name: 'Crear Canal' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'profile',
    async show(page) {
      await page.goto(pageRoutes.profile);
      await expect(page.getByRole('definition')).toHaveText(/^\d+$/);
    },
  },
  {
    name: 'settings with every form open',
    async show(page) {
      await page.goto(pageRoutes.settings);
      for (const change of ['Nombre', 'Correo electrónico', 'Contraseña']) {
        await page.getByRole('button', { name: `Cambiar: ${change}` }).click();
      }
      await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click();
    },
  },
  // The empty channel is covered by the views with an unsent comment.
  ...channelViews
    .filter(({ name }) => name !== 'an empty channel')
    .map(({ name, show }) => ({
      name,
      async show(page: Page, sample: SampleForum) {
        await show(page, sample);
        await expect(page.getByRole('button', { name: 'Comentar', exact: true })).toBeEnabled();
      },
    })),
  ...(['sending', 'refused'] as const).map((state) => ({
    name: `a channel with a comment that is ${state}`,
    async show(page: Page, { emptyChannel }: SampleForum) {
      // The request that sends it gets no response.
      await page.route(`**${apiRoutes.comment}`, () => {});
      await page.goto(pageRoutes.channel(emptyChannel._id));
      await storeDraft(page, emptyChannel, state);
      await page.reload();
      const said = state === 'sending' ? /^Pendiente de envío/ : /No puede quedar vacío/;
      await expect(page.getByText(said)).toBeVisible();
    },
  })),
];

/** Stores a draft as a page does when its comment was not answered or was refused. */
function storeDraft(page: Page, channel: Channel, state: 'sending' | 'refused'): Promise<void> {
  const text = unrulyTexts.comments.at(-1) ?? '';
  const refusal = state === 'refused' ? 'No puede quedar vacío.' : '';
  const draft = JSON.stringify({ text, state, refusal, key: crypto.randomUUID() });
  return page.evaluate(
    ([id, json]) =>
      localStorage.setItem(`comment-draft ${sessionStorage.getItem('id')} ${id}`, json),
    [channel._id, draft] as const,
  );
}

/** Errors that the browser logs for the views with status 401 or 404. */
export const rejectionErrors = [/status of 40[14]/];

export const visitors: {
  who: string;
  person: (sample: SampleForum) => Person | null;
  views: View[];
}[] = [
  { who: 'a guest', person: () => null, views: guestViews },
  { who: 'a user with a long name', person: ({ longNamed }) => longNamed, views: userViews },
];
