import { readFile } from 'node:fs/promises';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { problems } from '../../../src/shared/errors.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import {
  chooseFiles,
  commentWithFiles,
  draftFiles,
  expectStored,
  giveFiles,
  mp3,
  pdf,
} from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { holdRequests } from '../network.ts';
import { networkOf, watchUploads } from '../uploads.ts';

test('a comment takes four files that are chosen, dropped and pasted, which outlive a reload and are downloaded as they were; a dropped image stays an image', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await expect(commentField(page)).toHaveAttribute('required');
  const minutes = pdf('Acta de marzo.pdf', 50_000);
  await chooseFiles(page, [minutes]);
  await expectStored(page, 'Acta de marzo.pdf');
  await expect(commentField(page)).not.toHaveAttribute('required');
  const notes = { name: 'notas.txt', mimeType: 'text/plain', buffer: Buffer.from('Traed agua') };
  const photo = await plainImage('plaza.png');
  await giveFiles(page.locator('body'), 'drop', [notes, photo, pdf('acta.pdf')]);
  await giveFiles(commentField(page), 'paste', [pdf('acta.pdf', 3000), pdf('quinto.pdf')]);
  await expect(page.getByRole('alert')).toHaveText(
    'Puedes añadir hasta 4 archivos por comentario.',
  );
  await expect(page.getByRole('list', { name: 'Imágenes del comentario' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Quitar/ })).toHaveCount(5);
  await page.getByRole('button', { name: 'Quitar acta.pdf' }).first().press('Enter');
  await expect(page.getByRole('button', { name: 'Añadir…' })).toBeFocused();
  await page.reload();
  await expect(draftFiles(page)).toHaveText([
    /^Acta de marzo\.pdfPDF49\skB/,
    /^notas\.txtTexto1\skB/,
    /^acta\.pdfPDF/,
  ]);
  await sendButton(page).click();

  const files = commentsShown(page).first().getByRole('list', { name: 'Archivos' });
  await expect(files.getByRole('link')).toHaveText(['Acta de marzo.pdf', 'notas.txt', 'acta.pdf']);
  await expect(draftFiles(page)).toHaveCount(0);
  const downloaded = page.waitForEvent('download');
  await files.getByRole('link', { name: 'Acta de marzo.pdf' }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('Acta de marzo.pdf');
  expect((await readFile(await download.path())).equals(minutes.buffer)).toBe(true);
});

test('sound has a player beside its link, also on a page without scripts, and the latest files of a channel are beside its comments where there is room', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  const { _id } = await openChannel(forum, ana);
  await commentWithFiles(forum, ana, _id, 'El ensayo', [mp3(), pdf('partitura.pdf')]);
  for (const javaScriptEnabled of [true, false]) {
    const page = await openAs(null, { javaScriptEnabled });
    await page.goto(pageRoutes.channel(_id));
    const comment = commentsShown(page).first();
    await expect(comment.getByRole('link', { name: 'ensayo.mp3' })).toBeVisible();
    await expect(comment.getByLabel('ensayo.mp3')).toHaveAttribute('controls');
    const latest = page.getByRole('region', { name: 'Documentos' });
    await expect(latest.getByRole('link', { name: 'partitura.pdf' })).toBeVisible();
    await page.setViewportSize({ width: 375, height: 700 });
    await expect(latest).toBeHidden();
    await page.context().close();
  }
  const page = await openAs(null);
  await page.goto(pageRoutes.channel(_id));
  const player = page.locator('audio');
  await player.evaluate((audio: HTMLAudioElement) => audio.load());
  const loaded = () =>
    player.evaluate(({ error, duration }: HTMLAudioElement) => [error, duration]);
  await player.evaluate((audio: HTMLAudioElement) => {
    audio.preload = 'metadata';
  });
  await expect.poll(loaded).toEqual([null, expect.closeTo(1, 0)]);
});

test.describe('an upload of a file', () => {
  test.use({ expectedErrors: [/ERR_[A-Z_]+|tus: |status of 4(13|22)|no se puede subir|pesa/] });

  test('shows its progress, is paused and resumed, goes on by itself after a lost connection, and is waited for', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await expect(sendButton(page)).toBeEnabled();
    const requests = watchUploads(page);
    const network = await networkOf(page);
    await network.slowDown();
    await chooseFiles(page, [pdf('largo.pdf', 300_000)]);
    await expect(page.getByText(/ de .*\s·\s[1-9][0-9]?\s%/)).toBeVisible();
    await page.getByRole('button', { name: 'Pausar' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Subida en pausa' })).toBeVisible();
    const position = () =>
      page
        .getByRole('progressbar', { name: 'Subida de largo.pdf' })
        .evaluate((bar: HTMLProgressElement) => bar.position);
    const pausedAt = await position();
    await page.getByRole('button', { name: 'Reanudar' }).click();
    await expect.poll(position).toBeGreaterThan(pausedAt + 0.05);
    await sendButton(page).click();
    await expect(page.getByText('Espera a que termine la subida')).toBeVisible();
    const reconnect = forum.cutConnections();
    await network.restore();
    await expect(page.getByText('Sin conexión: la subida seguirá sola')).toBeVisible();
    reconnect();
    await expectStored(page, 'largo.pdf');
    expect(requests.map((one) => one.method())).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH']);
  });

  test('that is too big or of another kind says so, and the others are sent', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    const uploads = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
    const program = { name: 'acta.pdf.exe', mimeType: '', buffer: Buffer.from('MZ\0\0') };
    const huge = { ...program, name: 'enorme.pdf', buffer: Buffer.alloc(20 * 1024 * 1024 + 1) };
    await chooseFiles(page, [program, huge, pdf()]);
    await expect(page.getByRole('alert')).toHaveText(
      'El archivo pesa 21\u00a0MB; el máximo es 20\u00a0MB.',
    );
    await expect.poll(() => uploads.requests.length).toBe(2);
    uploads.release();
    await expect(page.getByRole('alert').first()).toHaveText(problems.unsupported_file.detail);
    await expectStored(page, 'acta.pdf');
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Quitar', exact: true }).first().click();
      await expect(page.getByRole('alert')).toHaveCount(left);
    }
    await sendButton(page).click();
    await expect(commentsShown(page).first().getByRole('link', { name: 'acta.pdf' })).toBeVisible();
  });
});
