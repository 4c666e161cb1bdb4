import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { assetRoutes, pageRoutes } from '../../src/shared/routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { openChannel } from '../browser/community.ts';
import { heavyImage, plainImage } from '../browser/images.ts';
import { eventually } from '../eventually.ts';
import { Forum } from '../forum/forum.ts';
import { engines } from './engines.ts';
import { chooseInMenu, commentsOn, fillIn, sendComment, sendTyped, signIn } from './people.ts';
import { Site } from './site.ts';
import { endPrograms } from './start-program.ts';

/** Errors that browsers log when a connection is lost. */
const lostConnection =
  /Failed to fetch|NetworkError|Load failed|Unable to preload|tus: |network|conexión/i;

/** For all tests in one engine together, in case the browser stops responding. */
const timeout = 20 * 60_000;

after(endPrograms);

for (const { name, missing, start } of engines) {
  const skip = missing.length > 0 && `install Debian's ${missing.join(' and ')}`;
  describe(`in ${name}`, { skip, timeout }, () => {
    let forum: Forum;
    before(async () => {
      forum = await Forum.start('sqlite');
    });
    after(() => forum.stop());

    test('people read, sign up, sign in, create a channel with a cover, comment, change their avatar and sign out', async () => {
      const ana = await forum.person('Ana Belén');
      const channel = await openChannel(forum, ana, { name: 'Huertos de azotea' });
      await forum.comment(ana, channel._id, 'Los tomates ya están rojos 🍅');
      await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-files-'));
      const cover = path.join(folder.path, 'portada.png');
      await writeFile(cover, (await plainImage()).buffer);
      const face = path.join(folder.path, 'cara.png');
      await writeFile(face, (await plainImage('cara.png', '#aa2222')).buffer);
      await using site = await Site.start(forum.url);
      await using tab = await start();

      await tab.open(site.url);
      await tab.click('link', 'Huertos de azotea');
      await tab.see('heading', 'Huertos de azotea');
      await tab.see('text', 'Los tomates ya están rojos 🍅');

      await chooseInMenu(tab, 'link', 'Registarse');
      await tab.see('heading', 'Crear cuenta');
      const carla = { email: `${name}@ejemplo.es`, password: 'tres cuervos lentos' };
      await fillIn(tab, {
        Nombre: 'Carla Peña',
        'Correo electrónico': carla.email,
        Contraseña: carla.password,
      });
      await tab.click('button', 'Registrarse');
      await tab.see('heading', 'Iniciar sesión');
      await signIn(tab, site, carla);

      await tab.click('link', 'Crear Canal');
      await tab.see('heading', 'Crear Canal');
      await fillIn(tab, { Título: 'Pan de masa madre', Descripción: '¿Quién tiene un fermento?' });
      await tab.chooseFile('Imagen de portada', cover);
      await tab.see('image', 'Portada subida');
      await tab.click('button', 'Crear Canal');
      await tab.click('link', 'Pan de masa madre');
      await tab.see('text', '¿Quién tiene un fermento?');
      await tab.until(
        () => Number(document.querySelector<HTMLImageElement>('main header img')?.naturalWidth) > 0,
      );

      await sendComment(tab, 'Yo tengo uno: ñandú, €');
      await tab.until(() => document.querySelectorAll('ol > li').length === 1);
      assert.deepEqual(await commentsOn(tab), ['Yo tengo uno: ñandú, €']);

      await chooseInMenu(tab, 'link', 'Perfil');
      await tab.see('heading', 'Carla Peña');
      await tab.chooseFile('Cambiar foto de perfil', face);
      await tab.see('text', 'Foto de perfil actualizada');
      await tab.until(() =>
        [...document.images].every(({ src }) => /\/files\/images\/cara/.test(src)),
      );

      await chooseInMenu(tab, 'button', 'Cerrar sesión');
      // The page shows it once it was loaded anew; until then it would be read while it is replaced.
      await tab.see('text', 'Has cerrado sesión.');
      await tab.see('text', 'Debes iniciar sesión para crear un canal');
      assert.equal(await tab.run(() => sessionStorage.length), 0);
      site.expectNoErrors();
    });

    test('two readers see comments as they are written, also those they missed while a connection was lost', async () => {
      const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
      const { _id } = await openChannel(forum, ana, { name: 'En directo' });
      await forum.comment(ana, _id, 'ya estaba aquí');
      await using site = await Site.start(forum.url);
      await using reader = await start();
      await using writer = await start();
      await reader.open(site.url + pageRoutes.channel(_id));
      await signIn(writer, site, bruno);
      await writer.open(site.url + pageRoutes.channel(_id));

      await sendComment(writer, 'primero en directo');
      await reader.see('text', 'primero en directo');
      site.cut();
      await forum.comment(ana, _id, 'mientras no había red');
      site.mend();
      await reader.see('text', 'mientras no había red');
      const all = ['ya estaba aquí', 'primero en directo', 'mientras no había red'];
      for (const tab of [reader, writer]) {
        await tab.see('text', 'mientras no había red');
        assert.deepEqual(await commentsOn(tab), all);
      }
      site.expectNoErrors(lostConnection);
    });

    test('an upload continues where a lost connection stopped it', async () => {
      await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-files-'));
      const file = path.join(folder.path, 'ruido.png');
      const { buffer } = await heavyImage();
      await writeFile(file, buffer);
      await using site = await Site.start(forum.url);
      await using tab = await start();
      await signIn(tab, site, await forum.person());
      await tab.open(site.url + pageRoutes.create);
      site.cutUploadAt(buffer.length / 2);
      await tab.chooseFile('Imagen de portada', file);
      await tab.see('image', 'Portada subida');
      // Browsers may first repeat a request by themselves, which the server refuses.
      assert.equal(site.offsets[0], 0);
      assert.ok(Number(site.offsets.at(-1)) > 0);
      const stored = await forum.call('GET', apiRoutes.storedFile('images/ruido.png'));
      assert.equal(stored.status, 200);
      site.expectNoErrors(lostConnection);
    });

    test('a photo that is too large and tiles are stored as they look', async () => {
      await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-files-'));
      const file = path.join(folder.path, 'grande.png');
      await writeFile(file, await quarters(4000, 1600).png().toBuffer());
      await using site = await Site.start(forum.url);
      await using tab = await start();
      await signIn(tab, site, await forum.person());
      await tab.open(site.url + pageRoutes.create);
      await tab.chooseFile('Imagen de portada', file);
      await tab.see('image', 'Portada subida');
      const small = (image: Sharp) =>
        image.resize(10, 4, { kernel: 'nearest' }).removeAlpha().raw().toBuffer();
      const imageAt = async (url: string) =>
        sharp(await (await forum.call('GET', url)).arrayBuffer());
      const photo = await imageAt(assetRoutes.file('images/grande.png'));
      assert.ok((await small(photo)).equals(await small(quarters(4000, 1600))), 'the photo');

      await tab.click('button', 'Usar un azulejo');
      await tab.until(() => /azulejo-/.test(document.body.innerText));
      await tab.see('image', 'Portada subida');
      const seed = await tab.run(
        () => /azulejo-(\w+)\.png/.exec(document.body.innerText)?.[1] ?? '',
      );
      const tiles = await imageAt(assetRoutes.file(`images/azulejo-${seed}.png`));
      const drawn = await imageAt(assetRoutes.azulejoImage(seed));
      assert.ok((await small(tiles)).equals(await small(drawn)), 'the tiles');
      site.expectNoErrors();
    });

    test('typed text survives a reload, and is sent by itself after a lost connection', async () => {
      const ana = await forum.person('Ana Belén');
      const { _id } = await openChannel(forum, ana, { name: 'Borradores' });
      await using site = await Site.start(forum.url);
      await using tab = await start();
      await signIn(tab, site, ana);
      const page = site.url + pageRoutes.channel(_id);
      await tab.open(page);
      await tab.type('Escribe un comentario', 'Escrito a medias');
      await tab.open(page);
      await tab.until(() => document.querySelector('textarea')?.value === 'Escrito a medias');

      site.cut();
      await tab.click('button', 'Comentar');
      await tab.see('text', 'Se enviará en cuanto vuelva la conexión');
      // The comment cannot be edited until it is sent.
      await tab.until(() => document.querySelector('textarea')?.readOnly === true);
      site.mend();
      await tab.until(() => document.querySelectorAll('ol > li').length === 1);
      await tab.until(() => document.querySelector('textarea')?.value === '');
      assert.deepEqual(await commentsOn(tab), ['Escrito a medias']);
      site.expectNoErrors(lostConnection);
    });

    test('a mention is sent as a link, and typing can be undone and redone', async () => {
      const ana = await forum.person('Ana Belén');
      await forum.person('Yolanda Mar');
      const { _id } = await openChannel(forum, ana, { name: 'Menciones' });
      await using site = await Site.start(forum.url);
      await using tab = await start();
      await signIn(tab, site, ana);
      await tab.open(site.url + pageRoutes.channel(_id));
      const mention = async () => {
        await tab.type('Escribe un comentario', 'Hola @Yol');
        // A name is also in the text of the comment that was sent.
        await tab.until(() => document.querySelector('[role="option"]') !== null);
        await tab.click('text', 'Yolanda Mar');
        await tab.type('Escribe un comentario', ' y más');
      };
      const typed = () => tab.run(() => document.querySelector('textarea')?.value);
      await mention();
      await sendTyped(tab);
      await tab.see('link', '@Yolanda Mar');
      await mention();
      assert.equal(await typed(), 'Hola @Yolanda Mar y más');
      for (let steps = 0; steps < 50 && (await typed()) !== ''; steps += 1) {
        await tab.run(() => document.execCommand('undo'));
      }
      assert.equal(await typed(), '');
      for (let steps = 0; steps < 50; steps += 1) {
        await tab.run(() => document.execCommand('redo'));
      }
      assert.equal(await typed(), 'Hola @Yolanda Mar y más');
      site.expectNoErrors();
    });

    test('a person who stays signed in is signed in in a new tab, and nobody else is', async () => {
      await using site = await Site.start(forum.url);
      const ana = await forum.person('Ana Belén');
      await using tab = await start();
      await signIn(tab, site, ana);
      await tab.replace();
      await tab.open(site.url);
      await tab.see('link', 'Iniciar sesión');
      await signIn(tab, site, ana, { staysIn: true });
      await tab.replace();
      await tab.open(site.url);
      await tab.see('link', 'Crear Canal');
      await chooseInMenu(tab, 'button', 'Cerrar sesión');
      // Waits for the reloaded page, because Chromium does not always close a tab that is loading.
      await tab.see('text', 'Has cerrado sesión.');
      await tab.see('link', 'Iniciar sesión');
      await tab.replace();
      await tab.open(site.url);
      await tab.see('link', 'Iniciar sesión');
      site.expectNoErrors();
    });

    test('a search finds other forms of a word, also while it is typed', async () => {
      const ana = await forum.person('Ana Belén');
      const { _id } = await openChannel(forum, ana, { name: 'Cocina' });
      await forum.comment(ana, _id, 'Los calabacines están carísimos');
      await using site = await Site.start(forum.url);
      await using tab = await start();
      await tab.open(site.url);
      await tab.type('Buscar en comentarios y canales', 'calabacin');
      await tab.click('button', 'Buscar');
      await tab.see('text', 'calabacines');
      await tab.open(`${site.url}${pageRoutes.search}`);
      await tab.type('Buscar en comentarios y canales', 'carísimo');
      await tab.see('text', 'carísimos');
      site.expectNoErrors();
    });

    test('errors on the console and violations of the security policy are noticed', async () => {
      await using site = await Site.start(forum.url);
      await using tab = await start();
      await tab.open(site.url);
      await tab.see('link', 'Iniciar sesión');
      site.expectNoErrors();
      await tab.run(() => {
        console.error('shown by this test');
        return fetch('https://otro.example').catch(() => {});
      });
      await eventually('both are reported', async () => site.errorCount === 2);
      assert.throws(() => site.expectNoErrors(/shown by this test/), /connect-src/);
    });
  });
}
