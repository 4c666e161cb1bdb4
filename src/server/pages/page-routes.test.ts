import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { decideRow } from '../../../test/forum/decide-row.ts';
import { expectProblem } from '../../../test/forum/forum.ts';
import { insertComments } from '../../../test/forum/insert-comments.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { StoredFile } from '../../shared/images.ts';
import { limits } from '../../shared/limits.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';

const title = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
const meta = (html: string, name: string) =>
  new RegExp(`(?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

/** The field with this label, and its hint. */
function fieldOf(html: string, label: string) {
  const [, id] = new RegExp(`<label[^>]* for="([^"]+)">${label}</label>`).exec(html) ?? [];
  const inside = new RegExp(`<label[^>]*>(<input[^>]*>)<span>${label}</span></label>`).exec(html);
  const own = new RegExp(`<(?:input|textarea)[^>]* id="${id}"[^>]*>`).exec(html);
  const field = inside?.[1] ?? own?.[0];
  assert.ok(field, label);
  const [, hintId] = / aria-describedby="([^"]+)"/.exec(field) ?? [];
  const [, hint = ''] = new RegExp(` id="${hintId}"[^>]*>([^<]*)<`).exec(html) ?? [];
  return { field, hint };
}

onEngine('sqlite', 'pages', (forum) => {
  const page = async (url: string) => {
    const response = await forum().call('GET', url);
    // React separates adjacent texts with comments.
    const html = (await response.text()).replaceAll('<!-- -->', '');
    return { status: response.status, headers: response.headers, html };
  };
  const htmlOf = async (url: string) => (await page(url)).html;

  test('every page is rendered on the server, in Spanish, with a policy that allows no inline code but its own', async () => {
    const [ana, silent] = [await forum().person('Ana'), await forum().person('Eva')];
    const [channel, other] = [await forum().channel(ana), await forum().channel(ana)];
    await forum().comment(ana, other._id, 'Hola');
    for (const [url, expectedTitle, ...texts] of [
      [pageRoutes.home, 'tertulia', 'Bienvenidos a tertulia'],
      [
        pageRoutes.login,
        'Iniciar sesión · tertulia',
        // The specification shows this line and gives it no behaviour.
        '<p><span>¿Olvidaste tu contraseña?</span>',
      ],
      [pageRoutes.register, 'Crear cuenta · tertulia', '¿Ya tienes cuenta? Inicia sesión'],
      [pageRoutes.create, 'Crear Canal · tertulia', 'Descripción'],
      [pageRoutes.profile, 'Perfil · tertulia', 'Canales creados'],
      [
        pageRoutes.channel(channel._id),
        'Cine de barrio · tertulia',
        ...['Aún no hay comentarios', 'Compartir'],
        'Si deseas comentar debes <a href="/login">inciar sesión</a> 😁',
      ],
      [
        pageRoutes.user(ana.id),
        'Ana · tertulia',
        ...[`href="/channel/${other._id}?n=1#comentario-1"`, `href="/channel/${channel._id}"`],
        ...['En <bdi>tertulia</bdi> desde el', '>1 comentario<'],
      ],
      [
        pageRoutes.user(silent.id),
        'Eva · tertulia',
        ...['Aún no ha creado ningún canal.', 'Aún no ha escrito ningún comentario.'],
      ],
    ] as [string, string, ...string[]][]) {
      const { status, headers, html } = await page(url);
      assert.equal(status, 200, url);
      assert.match(html, /^<!doctype html><html lang="es">/);
      assert.equal(title(html), expectedTitle);
      for (const text of texts) assert.ok(html.includes(text), `${url} lacks ${text}`);
      const [footer = ''] = /<footer.*<\/footer>/s.exec(html) ?? [];
      assert.ok(footer.includes('Hecho con 💚 por 🦖'));
      assert.equal(footer.match(/<a [^>]*href="https:[^>]*>[^<]+<\/a>/g)?.length, 3);
      const [header = ''] = /<header.*?<\/header>/s.exec(html) ?? [];
      assert.ok(header.includes('src="/default-avatar.svg"'));
      assert.ok((meta(html, 'description') ?? '').length > 20, url);

      const policy = headers.get('content-security-policy') ?? '';
      assert.ok(!policy.includes('unsafe'));
      assert.match(policy, /(^|; )script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
      for (const directive of ['default-src', 'object-src', 'base-uri', 'frame-ancestors']) {
        assert.ok(policy.split('; ').includes(`${directive} 'none'`), directive);
      }
      assert.ok(policy.includes("require-trusted-types-for 'script'"));
    }
  });

  test('other addresses and malformed cursors get the NotFound page', async () => {
    const author = await forum().person();
    const channel = pageRoutes.channel((await forum().channel(author))._id);
    const user = pageRoutes.user(author.id);
    // The first pages are cached.
    for (const url of [pageRoutes.home, channel, user]) assert.equal((await page(url)).status, 200);
    for (const url of [
      ...['/nada', '/login/', '/Login', '/profile/otra', '/channel', '/channel/'],
      ...['/channel/%E0%A4%A', '/channel/nada', '/channel/a/b', `/channel/${'x'.repeat(300)}`],
      ...['/?after=nada', '/?after=', `${channel}?after=nada`, `${channel}?before=nada`],
      ...[
        '/user/nada',
        `/user/${'x'.repeat(90)}`,
        `${user}?after=x`,
        `${user}?after=1_${author.id}-x`,
      ],
    ]) {
      const { status, html } = await page(url);
      assert.equal(status, 404, url);
      assert.equal(title(html), 'NotFound · tertulia');
      assert.ok(html.includes('Página no encontrada') && html.includes('Volver al inicio'), url);
    }
  });

  test('previews of a link to a channel or a comment follow the rules that WhatsApp and Telegram publish', async () => {
    const author = await forum().person('Ana Belén');
    const upload = async (width: number, height: number, use: 'cover' | 'comment') => {
      const photo = await quarters(width, height).png().toBuffer();
      const stored = await forum().upload(author, photo, { use });
      return new URL(((await stored.json()) as StoredFile).downloadURL, forum().url).pathname;
    };
    const cover = await upload(1500, 1000, 'cover');
    const picture = await upload(300, 500, 'comment');
    const { _id } = await forum().json<Channel>('POST', apiRoutes.channels, {
      token: author.token,
      body: { name: 'Cine', description: 'Películas.', cover },
    });
    const images = [{ url: picture, alt: '' }];
    await forum().comment(author, _id, 'Hola', { images });
    await forum().comment(author, _id, `¿Quedamos el <martes>?\n${'Sí. '.repeat(100)}`);
    const tiled = await forum().channel(author);
    const path = pageRoutes.channel(_id);
    const headOf = async (url: string) => (await htmlOf(url)).split('</head>')[0] ?? '';
    const head = await headOf(`${path}?n=2`);
    assert.equal(title(head), 'Cine · tertulia');
    assert.equal(meta(head, 'og:title'), 'Ana Belén en Cine');
    assert.match(meta(head, 'og:description') ?? '', /^¿Quedamos el &lt;martes&gt;\? Sí/);
    assert.equal(meta(head, 'og:url'), `${forum().url}${path}?n=2`);
    assert.equal(meta(head, 'og:site_name'), 'tertulia');
    assert.equal(meta(head, 'twitter:card'), 'summary_large_image');
    // WhatsApp reads the first 300 kB of a page.
    assert.ok(Buffer.byteLength(head) < 300_000);
    for (const [url, image] of [
      [`${path}?n=2`, `${cover}/card.jpg`],
      [path, `${cover}/card.jpg`],
      [`${path}?n=1`, `${picture}/card.jpg`],
      [pageRoutes.channel(tiled._id), `/azulejo/${tiled._id}.jpg`],
      [pageRoutes.home, '/azulejo/tertulia.jpg'],
    ] as const) {
      const shown = await headOf(url);
      assert.equal(meta(shown, 'og:image'), forum().url + image);
      assert.equal(meta(shown, 'og:image:width'), '1200');
      assert.equal(meta(shown, 'og:image:height'), '630');
      const response = await forum().call('GET', image);
      assert.equal(response.headers.get('content-type'), 'image/jpeg');
      const bytes = Buffer.from(await response.arrayBuffer());
      const { width, height } = await sharp(bytes).metadata();
      // Images narrower than 300 px, or more than four times as wide as high, are not shown.
      assert.deepEqual([width, height], [1200, 630]);
      assert.ok(bytes.length <= 300_000, `${bytes.length} bytes`);
    }

    await forum().json('DELETE', apiRoutes.channelComment(_id, 1), author);
    for (const number of [1, 3]) {
      const gone = await headOf(`${path}?n=${number}`);
      assert.equal(meta(gone, 'og:title'), 'Cine · tertulia');
      assert.equal(meta(gone, 'og:description'), 'Películas.');
      assert.equal(meta(gone, 'og:image'), `${forum().url}${cover}/card.jpg`);
      assert.equal(meta(gone, 'og:url'), forum().url + path);
    }
  });

  test('texts of users are escaped in the markup and in the page’s data', async () => {
    const author = await forum().person('</title><script>alert(1)</script>');
    const channel = await forum().channel(author, '</script><img src=x onerror=alert(1)>"');
    await forum().comment(author, channel._id, '<!--<script>\u2028alert(2)');
    const scriptsIn = (html: string) =>
      html.match(/<script(?! type="application\/ld\+json">)/g)?.length;
    const plain = scriptsIn(await htmlOf(pageRoutes.login));
    for (const url of [pageRoutes.channel(channel._id), pageRoutes.user(author.id)]) {
      const html = await htmlOf(url);
      assert.equal(scriptsIn(html), plain, url);
      assert.doesNotMatch(html, /<img src=x|<\/title><script/);
      assert.ok(!html.includes(author.email));
    }
    assert.match(
      title(await htmlOf(pageRoutes.user(author.id))) ?? '',
      /^&lt;\/title&gt;&lt;script/,
    );
  });

  test('links lead visitors without JavaScript through the whole lists of channels, of a person and of decisions', async () => {
    const ana = await forum().person();
    const { _id } = await forum().channel(ana, 'Primero');
    for (let i = 1; i <= limits.channelsPerPage; i++) await forum().channel(ana, `n.º ${i}`);
    for (let i = 1; i <= limits.commentsPerPerson + 1; i++) {
      await forum().comment(ana, _id, 'Hola');
    }
    for (let i = 0; i < 60; i++) await decideRow(forum(), { action: 'silence', accountId: ana.id });
    /** Reads all pages. @returns what the pattern finds on each */
    const readAll = async (path: string, item: RegExp) => {
      const found: string[][] = [];
      for (let next: string | undefined = path; next && found.length < 20; ) {
        const html = await htmlOf(next);
        found.push([...html.matchAll(item)].map(([, value = '']) => value));
        const more = new RegExp(`href="(${path.split('?')[0]}\\?[^"]*after=[^"]+)"`).exec(html);
        next = more?.[1]?.replaceAll('&amp;', '&');
      }
      return found;
    };
    const { count } = await forum()
      .services.db.selectFrom('channels')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const channel = /href="\/channel\/([0-9a-f-]{36})"/g;
    for (const path of ['/', '/?sort=new', '/?sort=activity']) {
      assert.equal(new Set((await readAll(path, channel)).flat()).size, Number(count), path);
    }
    const written = await readAll(pageRoutes.user(ana.id), /\?n=(\d+)#comentario-/g);
    assert.equal(new Set(written.flat()).size, limits.commentsPerPerson + 1);
    const log = await readAll(pageRoutes.log, /<(li) class="\w+"><span class="note"><time /g);
    assert.deepEqual(
      log.map((entries) => entries.length),
      [50, 10],
    );

    // An unknown order means the default one, and each order has its own cursors.
    for (const url of ['/?sort=nada&x=1', '/?sort=comments']) {
      assert.equal(await htmlOf(url), await htmlOf('/'), url);
    }
    assert.match(await htmlOf('/?sort=activity'), /aria-current="page"[^>]*>Actividad reciente/);
    const newest = await htmlOf('/?sort=new');
    assert.match(newest, /aria-current="page"[^>]*>Nuevos/);
    const [, cursor = ''] = /\?sort=new&amp;after=(new_[0-9a-f-]+)"/.exec(newest) ?? [];
    for (const sort of ['sort=activity&', '']) {
      assert.equal((await page(`/?${sort}after=${cursor}`)).status, 404, sort);
    }
  });

  test('forms require their fields, and say in hints who sees what, before scripts run', async () => {
    const stay = 'Marca la casilla en tu teléfono: no tendrás que escribir la contraseña cada vez.';
    for (const [path, label, isRequired, text] of [
      [pageRoutes.register, 'Nombre', true, 'Lo verá todo el mundo'],
      [pageRoutes.register, 'Correo electrónico', true, 'No se muestra a nadie'],
      [pageRoutes.register, 'Contraseña', true, ''],
      [pageRoutes.login, 'Correo electrónico', true, ''],
      [pageRoutes.login, 'Contraseña', true, ''],
      [pageRoutes.login, 'Recordarme en este dispositivo', false, stay],
      [pageRoutes.create, 'Título', true, ''],
      [pageRoutes.create, 'Descripción', true, ''],
      [
        ...([pageRoutes.create, 'Imagen de portada', false] as const),
        'Resolución recomendada: 1000x400px (Máximo 1MB)',
      ],
    ] as const) {
      const html = await htmlOf(path);
      const { field, hint } = fieldOf(html, label);
      assert.equal(field.includes(' required=""'), isRequired, label);
      assert.ok(hint.includes(text), `${label}: ${hint}`);
      assert.doesNotMatch(html, /<form[^>]* novalidate/i);
    }
  });

  test('only the page for people without a code says whom to ask', async () => {
    const contact = 'hola@foro.example';
    await changeSettings(forum(), { contact });
    for (const path of [pageRoutes.home, pageRoutes.login, pageRoutes.recover]) {
      assert.equal((await htmlOf(path)).includes(contact), path === pageRoutes.recover, path);
    }
    await changeSettings(forum(), { contact: 'Pregunta a Marta, en recepción.' });
    const html = await htmlOf(pageRoutes.recover);
    assert.match(html, /<bdi>Pregunta a Marta, en recepción\.<\/bdi>/);
    assert.ok(!html.includes('mailto:'));
  });

  test('the page of a comment begins before it, leads to both ends without JavaScript, and says when the comment is gone', async () => {
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    const path = pageRoutes.channel(_id);
    for (let i = 0; i < 130; i++) await forum().comment(author, _id, 'Hola');
    await forum()
      .services.db.deleteFrom('comments')
      .where('channel_id', '=', _id)
      .where('number', 'in', [77, 130])
      .execute();
    const open = async (query: string) => {
      const html = await htmlOf(`${path}?${query}`);
      const shown = html.matchAll(/<li[^>]* id="comentario-(\d+)"[^>]*>(?!Ese)/g);
      return {
        html,
        numbers: [...shown].map(([, n]) => Number(n)),
        previous: /\?(before=[^"]+)"[^>]*>(?:<span>)?Anteriores/.exec(html)?.[1],
        next: /href="\/channel\/[^"?]*\?(after=[^"]+)"/.exec(html)?.[1],
      };
    };
    const start = await open('n=69');
    assert.ok(start.numbers.includes(59) && start.numbers.includes(69));
    const seen = new Set(start.numbers);
    for (const direction of ['previous', 'next'] as const) {
      for (let query = start[direction]; query; ) {
        const found = await open(query);
        for (const number of found.numbers) seen.add(number);
        query = found[direction];
      }
    }
    assert.equal(seen.size, 128);
    assert.ok((await open(start.next ?? '')).html.includes('?n=1">Ver desde el principio'));

    for (const n of [77, 2_147_483_647]) {
      const { html, numbers } = await open(`n=${n}`);
      assert.ok(html.includes(`id="comentario-${n}" tabindex="-1">Ese comentario ya no está.`));
      assert.ok(numbers.includes(n === 77 ? 78 : 129));
    }
    // A number that no comment can have is ignored.
    const first = await htmlOf(path);
    assert.ok(!first.includes('Ese comentario ya no está.'));
    for (const n of ['nada', '0', '-1', '01', '', '2147483648', '9'.repeat(400), '١']) {
      assert.equal((await open(`n=${n}`)).html, first, n);
    }
  });

  test('a link to a comment is read by the digits of its number, whatever a messenger has made of the rest', async () => {
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    await insertComments(forum(), _id, author.id, 100);
    const path = pageRoutes.channel(_id);
    const meant = await htmlOf(`${path}?n=90`);
    assert.ok(meant.includes('id="comentario-90"') && !meant.includes('id="comentario-1"'));
    for (const end of ['%23comentario-90', '%2523comentario-90', '.', ')', ',', '%20'])
      assert.equal(await htmlOf(`${path}?n=90${end}`), meant, end);
  });

  test('an address whose # was encoded is NotFound, and leads to the right one, for guests of a community of members as well', async () => {
    const { _id } = await forum().channel(await forum().person());
    const linkOf = async (url: string) => {
      const { status, html } = await page(url);
      assert.equal(status, 404, url);
      assert.equal(title(html), 'NotFound · tertulia');
      return /href="([^"]+)">Abrir la dirección correcta</.exec(html)?.[1];
    };
    const key = 'a1b2c3';
    for (const path of [pageRoutes.register, pageRoutes.password, pageRoutes.confirm]) {
      assert.equal(await linkOf(`${path}%23${key}`), `${path}#${key}`);
      assert.equal(await linkOf(`${path}%2523${key}`), `${path}#${key}`);
    }
    const channel = pageRoutes.channel(_id);
    assert.equal(await linkOf(`${channel}%23comentario-1`), `${channel}#comentario-1`);
    assert.equal(await linkOf(`/nada%23${key}`), undefined);

    await changeSettings(forum(), { readers: 'members', contact: 'marta@coro.example' });
    assert.equal(await linkOf(`${pageRoutes.register}%23${key}`), `${pageRoutes.register}#${key}`);
    const guestPage = await htmlOf(pageRoutes.home);
    assert.equal(await htmlOf(`${channel}%23comentario-1`), guestPage);
    await changeSettings(forum(), {});
  });

  test('serves tile patterns as SVG, and as immutable images for short plain seeds only', async () => {
    for (const url of ['/azulejo/abc.svg', '/azulejo/%22%3Cscript%3E.svg', '/default-avatar.svg']) {
      const { status, headers, html } = await page(url);
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^image\/svg\+xml/);
      assert.ok(!html.includes('<script'));
    }
    for (const [path, type] of [
      [assetRoutes.azulejoImage, 'image/png'],
      [assetRoutes.azulejoCard, 'image/jpeg'],
    ] as const) {
      const { headers } = await page(path('abc_-9'));
      assert.equal(headers.get('content-type'), type);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      for (const seed of ['a b', 'ñ', '<svg', 'a'.repeat(65)]) {
        await expectProblem(await forum().call('GET', path(seed)), 400, 'invalid_request');
      }
    }
  });
});
