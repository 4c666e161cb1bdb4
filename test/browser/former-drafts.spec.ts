import type { Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { Forum, Person } from '../forum/forum.ts';
import { commentField, commentsShown, queuedComments, sendButton } from './comments.ts';
import { openChannel } from './community.ts';
import {
  altField,
  createButton,
  descriptionField,
  titleField,
  uploadedMark,
} from './create-form.ts';
import { expect, test } from './fixtures.ts';
import { plainImage } from './images.ts';

// The keys and values below are those that version 0.1 stored. They must not be changed.

/** Stores values in local storage and a picture under each of the keys in IndexedDB. */
async function storeFormer(
  page: Page,
  values: Record<string, string>,
  fileKeys: string[] = [],
): Promise<void> {
  const picture = await plainImage('vieja.png', '#117733');
  await page.evaluate(
    async ({ values, fileKeys, bytes }) => {
      for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
      const opening = indexedDB.open('tertulia', 2);
      opening.onupgradeneeded = () => opening.result.createObjectStore('files');
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const transaction = opening.result.transaction('files', 'readwrite');
      const file = new File([new Uint8Array(bytes)], 'vieja.png', { type: 'image/png' });
      for (const key of fileKeys) transaction.objectStore('files').put(file, key);
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      opening.result.close();
    },
    { values, fileKeys, bytes: [...picture.buffer] },
  );
}

async function uploadImage(forum: Forum, person: Person, use: string): Promise<string> {
  const { buffer } = await plainImage('vieja.png', '#117733');
  return ((await (await forum.upload(person, buffer, { use })).json()) as StoredFile).downloadURL;
}

const key = (letter: string) => letter.repeat(32);

test('the drafts of comments, their pictures and the queue of the version before are taken over', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const [{ _id }, other] = [
    await openChannel(forum, ana),
    await openChannel(forum, ana, { name: 'Otro' }),
  ];
  await forum.comment(ana, _id, 'Uno');
  const url = await uploadImage(forum, ana, 'comment');
  const page = await openAs(ana);
  await page.goto(pageRoutes.create);
  const author = `"autor":"Ana Belén","autorId":"${ana.id}","autorImg":""`;
  const request = `{"key":"${key('b')}","body":{"id":"${_id}","comment":"Sin respuesta @Ana Belén","mentions":[{"start":14,"length":10,"accountId":"${ana.id}"}],"images":[{"url":"${url}","alt":"Algo verde"}],"replyTo":1,"replyExcerpt":"Uno",${author}}}`;
  // Either page sends it.
  const queuedRequest = page.waitForRequest(`**${apiRoutes.comment}`);
  await storeFormer(
    page,
    {
      [`comment-draft ${ana.id} ${_id}`]: `{"text":"Sin respuesta @Ana Belén","mentions":[{"start":14,"length":10,"accountId":"${ana.id}"}],"images":[{"url":"${url}","alt":"Algo verde"}],"uploads":[],"reply":{"number":1,"autor":"Ana Belén","excerpt":"Uno"},"request":${request},"revision":0}`,
      [`comment-draft ${ana.id} ${other._id}`]: `{"text":"Con foto","mentions":[],"images":[],"uploads":[{"key":"${ana.id} comment ${key('d')}","name":"vieja.png"}],"reply":null,"request":null,"revision":0}`,
      [`comment-edit ${ana.id} ${_id} 1`]:
        '{"text":"Uno y medio","mentions":[],"images":[],"uploads":[],"reply":null,"request":null,"revision":1}',
      [`outbox ${ana.id} ${key('a')}`]: `{"key":"${key('a')}","body":{"id":"${other._id}","comment":"De la cola",${author}},"place":1,"sentAtMs":null,"refusal":null}`,
      [`outbox ${ana.id} ${key('c')}`]: `{"key":"${key('c')}","body":{"id":"${_id}","comment":"Rechazado",${author}},"place":2,"sentAtMs":1700000000000,"refusal":"No cabe."}`,
    },
    [`${ana.id} comment ${key('d')}`],
  );
  await page.goto(pageRoutes.channel(_id));
  expect((await queuedRequest).headers()['idempotency-key']).toBe(key('a'));
  expect((await queuedRequest).postDataJSON()).toMatchObject({ comment: 'De la cola' });
  await expect(queuedComments(page)).toHaveCount(1);
  await expect(queuedComments(page)).toContainText('Rechazado');
  await expect(page.getByRole('alert')).toContainText('No cabe.');

  await page.getByRole('button', { name: /^Más acciones: n\.º 1,/ }).click();
  await page.getByRole('button', { name: 'Editar', exact: true }).first().click();
  const editor = page.getByRole('form', { name: 'Edita tu comentario' });
  await expect(editor.getByRole('textbox')).toHaveValue('Uno y medio');
  await editor.getByRole('button', { name: 'Guardar' }).click();
  await expect(commentsShown(page).first()).toContainText('Uno y medio');

  // A reply that was stored as a new comment is sent as a reply.
  await expect(commentField(page)).toHaveValue('Sin respuesta @Ana Belén');
  await expect(page.getByLabel('Texto alternativo de la imagen 1')).toHaveValue('Algo verde');
  const sent = page.waitForRequest(`**${apiRoutes.comment}`);
  await sendButton(page).click();
  expect((await sent).headers()['idempotency-key']).toBe(key('b'));
  expect((await sent).postDataJSON()).toEqual(JSON.parse(request).body);
  await expect(page.locator('#comentario-2')).toContainText('En respuesta a Ana Belén');

  await page.goto(pageRoutes.channel(other._id));
  await expect(commentsShown(page)).toHaveText([/De la cola/]);
  await expect(commentField(page)).toHaveValue('Con foto');
  await expect(page.getByLabel('Texto alternativo de la imagen 1')).toBeVisible();
  await sendButton(page).click();
  await expect(page.locator('#comentario-2').getByRole('img', { name: /Imagen/ })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage)))
    .toEqual([`outbox ${ana.id} ${key('c')}`]);
});

test('the drafts of channels and their covers of the version before are taken over', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const url = await uploadImage(forum, ana, 'cover');
  const page = await openAs(ana);
  await page.goto(pageRoutes.home);
  const content = `"name":"Cine mudo","description":"Sin palabras.","cover":"${url}","coverAlt":"Una sala"`;
  await storeFormer(
    page,
    {
      [`channel-draft ${ana.id}`]: `{"name":"Cine mudo","description":"Sin palabras.","coverAlt":"Una sala","cover":"${url}","request":{"key":"${key('e')}","body":{${content},"autor":"Ana Belén","autorId":"${ana.id}","autorImg":""}}}`,
      [`channel-edit ${ana.id} ${_id}`]:
        '{"name":"Cine de verano","description":"Al aire libre.","coverAlt":"","newCover":"vieja.png","revision":1}',
    },
    [`${ana.id} cover`, `${ana.id} channel-cover ${_id}`],
  );
  await page.goto(pageRoutes.channel(_id));
  await page.getByRole('button', { name: 'Opciones del canal' }).click();
  await page.getByRole('button', { name: 'Editar canal' }).click();
  await expect(titleField(page)).toHaveValue('Cine de verano');
  await expect(uploadedMark(page)).toBeVisible();
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cine de verano');
  await expect(page.getByText('Al aire libre.')).toBeVisible();

  await page.goto(pageRoutes.create);
  await expect(titleField(page)).toHaveValue('Cine mudo');
  await expect(descriptionField(page)).toHaveValue('Sin palabras.');
  await expect(altField(page)).toHaveValue('Una sala');
  await expect(uploadedMark(page)).toBeVisible();
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith(apiRoutes.channels),
  );
  await createButton(page).click();
  expect((await sent).headers()['idempotency-key']).toBe(key('e'));
  await expect(page.getByRole('link', { name: 'Cine mudo' })).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});
