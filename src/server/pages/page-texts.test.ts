import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { decideRow } from '../../../test/forum/decide-row.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pageRoutes } from '../../shared/routes.ts';

/** Attributes of the field with this label, and its hint. */
function fieldOf(html: string, label: string) {
  const [, id] = new RegExp(`<label[^>]* for="([^"]+)">${label}</label>`).exec(html) ?? [];
  const inside = new RegExp(`<label[^>]*>(<input[^>]*>)<span>${label}</span></label>`).exec(html);
  const field =
    inside?.[1] ?? new RegExp(`<(?:input|textarea)[^>]* id="${id}"[^>]*>`).exec(html)?.[0];
  assert.ok(field, label);
  const [, hintId] = / aria-describedby="([^"]+)"/.exec(field) ?? [];
  const [, hint] = new RegExp(` id="${hintId}"[^>]*>([^<]*)<`).exec(html) ?? [];
  return { isRequired: field.includes(' required=""'), hint };
}

describe('pages before their scripts run', () => {
  let forum: Forum;
  before(async () => {
    forum = await Forum.start('sqlite');
  });
  after(() => forum?.stop());

  const page = async (path: string) => (await forum.call('GET', path)).text();

  test('the fields of an account are required, and say who sees them', async () => {
    const register = await page(pageRoutes.register);
    const login = await page(pageRoutes.login);
    for (const html of [register, login]) {
      assert.doesNotMatch(html, /<form[^>]* novalidate/i);
      assert.ok(fieldOf(html, 'Correo electrónico').isRequired);
      assert.ok(fieldOf(html, 'Contraseña').isRequired);
    }
    const name = fieldOf(register, 'Nombre');
    assert.ok(name.isRequired);
    assert.match(name.hint ?? '', /Lo verá todo el mundo/);
    assert.match(fieldOf(register, 'Correo electrónico').hint ?? '', /No se muestra a nadie/);
    const stay = fieldOf(login, 'Mantener la sesión en este navegador');
    assert.ok(!stay.isRequired);
    assert.match(
      stay.hint ?? '',
      /^Si no marcas la casilla, tendrás que entrar en cada pestaña nueva, también al abrir un enlace de WhatsApp\./,
    );
    assert.match(login, /<span>¿Olvidaste tu contraseña\?<\/span>/, 'does nothing');
  });

  test('the texts of a channel are required, and its cover has a hint', async () => {
    const html = await page(pageRoutes.create);
    assert.doesNotMatch(html, /<form[^>]* novalidate/i);
    assert.ok(fieldOf(html, 'Título').isRequired);
    assert.ok(fieldOf(html, 'Descripción').isRequired);
    const { hint } = fieldOf(html, 'Imagen de portada');
    assert.equal(hint, 'Resolución recomendada: 1000x400px (Máximo 1MB)');
  });

  test('only the page for people without a code says whom to ask', async () => {
    const contact = 'hola@foro.example';
    await changeSettings(forum, { contact });
    for (const path of [pageRoutes.home, pageRoutes.login, pageRoutes.recover]) {
      assert.equal((await page(path)).includes(contact), path === pageRoutes.recover, path);
    }
    await changeSettings(forum, { contact: 'Pregunta a Marta, en recepción.' });
    const html = await page(pageRoutes.recover);
    assert.match(html, /<bdi>Pregunta a Marta, en recepción\.<\/bdi>/);
    assert.ok(!html.includes('mailto:'));
  });

  test('links lead through the whole log of decisions', async () => {
    const { id } = await forum.person();
    for (let index = 0; index < 60; index += 1) {
      await decideRow(forum, { action: 'silence', accountId: id });
    }
    const counts: number[] = [];
    for (let path: string | undefined = pageRoutes.log; path && counts.length < 10; ) {
      const html: string = await page(path);
      counts.push(html.match(/<li class="log-page_entry/g)?.length ?? 0);
      path = /href="(\/log\?after=[^"]+)"/.exec(html)?.[1];
    }
    assert.deepEqual(counts, [50, 10]);
  });

  test('an empty channel asks guests to sign in and to share its link, unless it is closed', async () => {
    const ana = await forum.person();
    const { _id } = await forum.channel(ana);
    const html = await page(pageRoutes.channel(_id));
    assert.ok(html.includes('Aún no hay comentarios'));
    assert.match(html, /Si deseas comentar debes <a href="\/login">inciar sesión<\/a> 😁/);
    assert.ok(html.includes('Copiar enlace'));
    assert.doesNotMatch(html, /<textarea/);
    await forum.json('POST', apiRoutes.closeChannel(_id), { token: ana.token });
    const closed = await page(pageRoutes.channel(_id));
    assert.ok(closed.includes('Aún no hay comentarios'));
    assert.ok(!closed.includes('Copiar enlace'));
  });
});
