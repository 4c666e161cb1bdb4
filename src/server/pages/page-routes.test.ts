import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../shared/channels.ts';
import type { StoredFile } from '../../shared/images.ts';
import { limits } from '../../shared/limits.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';

const title = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
const meta = (html: string, name: string) =>
  new RegExp(`(?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

onEngine('sqlite', 'pages', (forum) => {
  const page = async (url: string) => {
    const response = await forum().call('GET', url);
    return { status: response.status, headers: response.headers, html: await response.text() };
  };

  test('renders every page on the server, in Spanish', async () => {
    const channel = await forum().channel(await forum().person());
    const pages: [string, string, string][] = [
      [pageRoutes.home, 'tertulia', 'Bienvenidos a tertulia'],
      [pageRoutes.login, 'Iniciar sesión · tertulia', '¿Olvidaste tu contraseña?'],
      [pageRoutes.register, 'Crear cuenta · tertulia', '¿Ya tienes cuenta? Inicia sesión'],
      [
        pageRoutes.create,
        'Crear Canal · tertulia',
        'Resolución recomendada: 1000x400px (Máximo 1MB)',
      ],
      [pageRoutes.profile, 'Perfil · tertulia', 'Canales creados'],
      [pageRoutes.channel(channel._id), 'Cine de barrio · tertulia', 'Aún no hay comentarios'],
    ];
    for (const [url, expectedTitle, text] of pages) {
      const { status, html } = await page(url);
      assert.equal(status, 200, url);
      assert.match(html, /^<!doctype html><html lang="es">/);
      assert.equal(title(html), expectedTitle);
      assert.ok(html.includes(text), `${url} lacks ${text}`);
      const [footer = ''] = /<footer.*<\/footer>/s.exec(html) ?? [];
      assert.ok(footer.includes('Hecho con 💚 por 🦖'));
      assert.equal(footer.match(/<a [^>]*href="https:[^>]*>[^<]+<\/a>/g)?.length, 3);
      const [header = ''] = /<header.*?<\/header>/s.exec(html) ?? [];
      assert.ok(header.includes('src="/default-avatar.svg"'));
      assert.ok((meta(html, 'description') ?? '').length > 20, url);
    }
  });

  test('matches routes exactly and sends the NotFound page for other addresses', async () => {
    for (const url of [
      '/nada',
      '/login/',
      '/Login',
      '/profile/otra',
      '/channel',
      '/channel/',
      '/channel/%E0%A4%A',
      '/channel/nada',
      '/channel/a/b',
      `/channel/${'x'.repeat(300)}`,
    ]) {
      const { status, html } = await page(url);
      assert.equal(status, 404, url);
      assert.equal(title(html), 'NotFound · tertulia');
      assert.ok(html.includes('Página no encontrada'));
      assert.ok(html.includes('Volver al inicio'));
    }
  });

  test('groups the digits of large counts', async () => {
    const channel = await forum().channel(await forum().person());
    await forum()
      .services.db.updateTable('channels')
      .set({ comment_count: 12_345 })
      .where('id', '=', channel._id)
      .execute();
    for (const url of [pageRoutes.channel(channel._id), pageRoutes.home]) {
      const { html } = await page(url);
      assert.match(html, />12\u00a0345( comentarios)?</, url);
    }
  });

  test('gives link previews of a channel absolute addresses', async () => {
    const channel = await forum().channel(await forum().person());
    await forum()
      .services.db.updateTable('channels')
      .set({ cover: '/files/images/a.jpg' })
      .where('id', '=', channel._id)
      .execute();
    const { html } = await page(pageRoutes.channel(channel._id));
    assert.equal(meta(html, 'og:title'), 'Cine de barrio · tertulia');
    assert.equal(meta(html, 'og:image'), `${forum().url}/files/images/a.jpg/card.jpg`);
    assert.equal(meta(html, 'og:url'), `${forum().url}${pageRoutes.channel(channel._id)}`);
  });

  test('previews of a link to a comment follow the rules that WhatsApp and Telegram publish', async () => {
    const author = await forum().person('Ana Belén');
    const photo = await quarters(1500, 1000).png().toBuffer();
    const { downloadURL } = (await (await forum().upload(author, photo)).json()) as StoredFile;
    const cover = new URL(downloadURL, forum().url).pathname;
    const channel = await forum().json<Channel>('POST', apiRoutes.channels, {
      token: author.token,
      body: { name: 'Cine', description: 'Películas.', cover },
    });
    await forum().comment(author, channel._id, 'Hola');
    await forum().comment(author, channel._id, `¿Quedamos el <martes>?\n${'Sí. '.repeat(100)}`);
    const link = `${pageRoutes.channel(channel._id)}?n=2`;
    const { html } = await page(link);
    const head = html.slice(0, html.indexOf('</head>'));
    assert.equal(meta(head, 'og:title'), 'Cine · tertulia');
    assert.match(
      meta(head, 'og:description') ?? '',
      /^Ana Belén: ¿Quedamos el &lt;martes&gt;\? Sí/,
    );
    assert.equal(meta(head, 'og:url'), `${forum().url}${link}`);
    assert.equal(meta(head, 'og:site_name'), 'tertulia');
    assert.equal(meta(head, 'twitter:card'), 'summary_large_image');
    // WhatsApp reads the first 300 kB of a page.
    assert.ok(Buffer.byteLength(head) < 300_000);
    const image = meta(head, 'og:image') ?? '';
    const response = await fetch(image);
    assert.equal(response.headers.get('content-type'), 'image/jpeg');
    const bytes = Buffer.from(await response.arrayBuffer());
    const { width, height } = await sharp(bytes).metadata();
    assert.deepEqual(
      [meta(head, 'og:image:width'), meta(head, 'og:image:height')],
      [`${width}`, `${height}`],
    );
    // Images narrower than 300 px, or more than four times as wide as high, are not shown.
    assert.deepEqual([width, height], [1200, 630]);
    assert.ok(bytes.length <= 300_000, `${bytes.length} bytes`);

    const other = await page(`${pageRoutes.channel(channel._id)}?n=1`);
    assert.equal(meta(other.html, 'og:description'), 'Ana Belén: Hola');
    const gone = await page(`${pageRoutes.channel(channel._id)}?n=3`);
    assert.equal(meta(gone.html, 'og:description'), 'Películas.');
    assert.equal(meta(gone.html, 'og:url'), `${forum().url}${pageRoutes.channel(channel._id)}`);
  });

  test('escapes texts of users in the markup and in the page’s data', async () => {
    const author = await forum().person('</title><script>alert(1)</script>');
    const channel = await forum().channel(author, '</script><img src=x onerror=alert(1)>"');
    await forum().comment(author, channel._id, '<!--<script>\u2028alert(2)');
    const { html } = await page(pageRoutes.channel(channel._id));
    const scripts = html.match(/<script/g)?.length;
    const plain = (await page(pageRoutes.login)).html.match(/<script/g)?.length;
    assert.equal(scripts, plain);
    assert.ok(!html.includes('<img src=x'));
  });

  test('sends pages with a policy that allows no inline code but their own', async () => {
    for (const path of [pageRoutes.home, pageRoutes.login, '/nada']) {
      const policy = (await page(path)).headers.get('content-security-policy') ?? '';
      assert.ok(!policy.includes('unsafe'));
      assert.match(policy, /(^|; )script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
      for (const directive of ['default-src', 'object-src', 'base-uri', 'frame-ancestors']) {
        assert.ok(policy.split('; ').includes(`${directive} 'none'`), directive);
      }
      assert.ok(policy.includes("require-trusted-types-for 'script'"));
    }
  });

  test('links all pages of the lists for visitors without JavaScript', async () => {
    const author = await forum().person();
    for (let i = 0; i < limits.channelsPerPage + 1; i++) await forum().channel(author, `n.º ${i}`);
    const { data } = await forum().json<ChannelPage>('GET', `${apiRoutes.channels}?comments=0`);
    const seen = new Set<string>();
    let url: string | undefined = pageRoutes.home;
    for (let pages = 0; url && pages < 10; pages++) {
      const { html } = await page(url);
      for (const [, id] of html.matchAll(/href="\/channel\/([0-9a-f-]{36})"/g)) seen.add(id ?? '');
      url = /href="(\/\?after=[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(seen.size, data.length);

    const channelId = data[0]?._id ?? '';
    const total = limits.commentsPerPage + 2;
    for (let i = 1; i <= total; i++) await forum().comment(author, channelId, `comentario-${i}-`);
    const first = await page(pageRoutes.channel(channelId));
    assert.ok(first.html.includes('comentario-1-') && !first.html.includes(`comentario-${total}-`));
    const more = new RegExp(`href="(/channel/${channelId}\\?after=[^"]+)"`).exec(first.html)?.[1];
    const second = await page(more ?? '');
    assert.ok(second.html.includes(`comentario-${total}-`));
    assert.ok(!second.html.includes('comentario-1-'));
    assert.ok(second.html.includes(`href="/channel/${channelId}?n=1">Ver desde el principio`));
  });

  test('sends the NotFound page for a malformed cursor', async () => {
    assert.equal((await page('/?after=nada')).status, 404);
    const path = pageRoutes.channel((await forum().channel(await forum().person()))._id);
    assert.equal((await page(path)).status, 200);
    for (const query of ['after=nada', 'before=nada']) {
      assert.equal((await page(`${path}?${query}`)).status, 404, query);
    }
  });

  test('ignores a number that no comment can have', async () => {
    const path = pageRoutes.channel((await forum().channel(await forum().person()))._id);
    const { html } = await page(path);
    const numbers = ['nada', '0', '-1', '01', '1.5', '', '2147483648', '9'.repeat(400), '١'];
    for (const n of numbers) assert.equal((await page(`${path}?n=${n}`)).html, html, n);
    assert.notEqual((await page(`${path}?n=2147483647`)).html, html);
  });

  describe('a channel with 130 comments', () => {
    let channelId = '';
    const numbersIn = (html: string) =>
      [...html.matchAll(/<li[^>]* id="comentario-(\d+)"[^>]*>(?!Ese)/g)].map(([, n]) => Number(n));
    const open = async (query: string) => {
      const { html, status } = await page(`${pageRoutes.channel(channelId)}?${query}`);
      assert.equal(status, 200);
      const previous = /href="\/channel\/[^"?]*\?(before=[^"]+)"[^>]*>(?:<span>)?Anteriores/.exec(
        html,
      )?.[1];
      const next = /href="\/channel\/[^"?]*\?(after=[^"]+)"/.exec(html)?.[1];
      return { html, previous, next, numbers: numbersIn(html) };
    };

    before(async () => {
      const author = await forum().person();
      channelId = (await forum().channel(author))._id;
      for (let i = 0; i < 130; i++) await forum().comment(author, channelId, 'Hola');
      await forum()
        .services.db.deleteFrom('comments')
        .where('channel_id', '=', channelId)
        .where('number', 'in', [77, 130])
        .execute();
    });

    test('shows any comment after ten earlier ones, and groups of ten comments share a page', async () => {
      for (const n of [1, 9, 10, 60, 69, 121, 129]) {
        const { html, numbers } = await open(`n=${n}`);
        assert.ok(numbers.includes(n), `${n}`);
        const before = numbers.filter((number) => number < n).length;
        assert.ok(before >= Math.min(10, n - 1), `${before} before ${n}`);
        // The link preview quotes the comment with this number.
        const withoutPreview = (text: string) => text.replaceAll(/<meta [^>]*>/g, '');
        const other = await open(`n=${n === 60 ? 69 : n}`);
        assert.equal(withoutPreview(html), withoutPreview(other.html));
      }
    });

    test('shows a note instead of a missing comment and of one beyond the last', async () => {
      const note = (n: number) => `id="comentario-${n}" tabindex="-1">Ese comentario ya no está.`;
      const { html, numbers } = await open('n=77');
      assert.ok(html.includes(note(77)));
      assert.ok(numbers.includes(76) && numbers.includes(78));
      const beyond = await open('n=99999');
      assert.ok(beyond.html.includes(note(99_999)));
      assert.equal(beyond.numbers.at(-1), 129);
      assert.ok(!(await open('')).html.includes('Ese comentario ya no está.'));
    });

    test('can be read to both ends without JavaScript', async () => {
      const start = await open('n=69');
      const seen = new Set(start.numbers);
      for (let query = start.previous; query; ) {
        const { numbers, previous } = await open(query);
        for (const number of numbers) seen.add(number);
        query = previous;
      }
      for (let query = start.next; query; ) {
        const { numbers, next } = await open(query);
        for (const number of numbers) seen.add(number);
        query = next;
      }
      assert.equal(seen.size, 128);
    });
  });

  test('serves tile patterns and the default image as SVG', async () => {
    for (const url of ['/azulejo/abc.svg', '/azulejo/%22%3Cscript%3E.svg', '/default-avatar.svg']) {
      const { status, headers, html } = await page(url);
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^image\/svg\+xml/);
      assert.ok(!html.includes('<script'));
    }
  });

  test('serves a tile pattern as an immutable PNG of 2000 x 800, for short plain seeds only', async () => {
    const answer = await forum().call('GET', assetRoutes.azulejoImage('abc_-9'));
    const { status, headers } = answer;
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'image/png');
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const { width, height, format } = await sharp(await answer.arrayBuffer()).metadata();
    assert.deepEqual([width, height, format], [2000, 800, 'png']);
    for (const seed of ['a b', 'ñ', '<svg', 'a'.repeat(65)]) {
      const refused = await forum().call('GET', assetRoutes.azulejoImage(seed));
      await expectProblem(refused, 400, 'invalid_request');
    }
  });
});

onEngine('sqlite', 'pages of lists', (forum) => {
  const get = (url: string) => forum().call('GET', url);

  test('home uses the default order for an unknown one, and each order has its own cursors', async () => {
    const author = await forum().person();
    for (let i = 0; i < 21; i++) await forum().channel(author, `Canal ${i}`);
    const html = async (url: string) => (await get(url)).text();
    assert.equal(await html('/?sort=nada&x=1'), await html('/'));
    assert.equal(await html('/?sort=comments'), await html('/'));
    const newest = await html('/?sort=new');
    assert.match(newest, /aria-current="page"[^>]*>Nuevos/);
    const [, next = ''] = /href="\/\?sort=new&amp;after=(new_[0-9a-f-]+)"/.exec(newest) ?? [];
    assert.equal((await get(`/?sort=new&after=${next}`)).status, 200);
    assert.equal((await get(`/?sort=activity&after=${next}`)).status, 404);
    assert.equal((await get(`/?after=${next}`)).status, 404);
  });

  test('the page of a person shows their channels and comments, escaped, and is NotFound for unknown people', async () => {
    const ana = await forum().person('<b>Ana</b>');
    const { _id } = await forum().channel(ana, 'Cine');
    await forum().comment(ana, _id, '<script>alert(1)</script>');
    // React separates adjacent texts with comments.
    const open = async (path: string) =>
      (await (await get(path)).text()).replaceAll('<!-- -->', '');
    const html = await open(pageRoutes.user(ana.id));
    assert.match(html, /&lt;b&gt;Ana&lt;\/b&gt;/);
    assert.match(html, new RegExp(`href="/channel/${_id}\\?n=1#comentario-1"`));
    assert.doesNotMatch(html, /<b>Ana|<script>alert/);
    assert.ok(!html.includes(ana.email));
    assert.equal(title(html), '&lt;b&gt;Ana&lt;/b&gt; · tertulia');
    assert.match(html, /En <bdi>tertulia<\/bdi> desde el/);
    assert.match(html, new RegExp(`href="/channel/${_id}"[^>]*>(<[^>]*>)*Cine<`));
    assert.match(html, />1 comentario</);
    for (let number = 2; number <= 21; number++) await forum().comment(ana, _id, `n.º ${number}.`);
    const first = await open(pageRoutes.user(ana.id));
    assert.ok(first.includes('n.º 21.') && !first.includes('&lt;script&gt;'));
    const [, next = ''] = /href="(\/user\/[^"?]*\?after=[^"]*)"><span>Ver más/.exec(first) ?? [];
    const second = await open(next);
    assert.ok(second.includes('&lt;script&gt;') && !second.includes('n.º 2.'));
    assert.ok(second.includes('Ver desde el principio'));
    const silent = await open(pageRoutes.user((await forum().person()).id));
    assert.ok(silent.includes('Aún no ha creado ningún canal.'));
    assert.ok(silent.includes('Aún no ha escrito ningún comentario.'));
    for (const id of ['nada', 'x'.repeat(90), `${ana.id}?after=x`, `${ana.id}?after=1_${_id}-x`]) {
      const response = await get(`/user/${id}`);
      assert.equal(response.status, 404, id);
      assert.match(await response.text(), /Página no encontrada/);
    }
  });
});

describe('the address of the site', () => {
  test('is taken from PUBLIC_URL, not from the request', async () => {
    await using forum = await Forum.start('sqlite', { PUBLIC_URL: 'https://foro.example' });
    const html = await (await forum.call('GET', '/')).text();
    assert.match(meta(html, 'og:image') ?? '', /^https:\/\/foro\.example\//);
  });

  test('is never taken from proxy headers', async () => {
    for (const env of [{ TRUST_PROXY: '1' }, { TRUST_PROXY: '10' }, {}] as Record<
      string,
      string
    >[]) {
      await using forum = await Forum.start('sqlite', env);
      const channel = await forum.channel(await forum.person());
      for (const url of ['/', '/login', '/nada', pageRoutes.channel(channel._id)]) {
        const response = await forum.call('GET', url, {
          headers: {
            'x-forwarded-host': 'evil.example',
            'x-forwarded-proto': 'javascript',
            'x-forwarded-port': '6666',
            'x-forwarded-for': 'evil.example',
            forwarded: 'host=evil.example;proto=javascript',
          },
        });
        const html = await response.text();
        assert.ok(meta(html, 'og:url')?.startsWith(`${forum.url}/`), url);
        assert.ok(meta(html, 'og:image')?.startsWith(`${forum.url}/`), url);
        assert.doesNotMatch(html, /evil\.example|javascript:|6666/, url);
      }
    }
  });
});
