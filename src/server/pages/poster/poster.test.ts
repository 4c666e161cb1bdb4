import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { hideContent, staff } from '../../../../test/forum/moderators.ts';
import { newPoll } from '../../../../test/forum/polls.ts';
import { dayMs } from '../../system/times.ts';

onBothEngines('the sheet to be printed', (forum) => {
  const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  const read = async () => {
    const response = await forum().call('GET', '/poster');
    return { status: response.status, html: await response.text() };
  };

  test('has the next dates that take place, each with a QR code, and nothing that was hidden', async () => {
    await changeSettings(forum(), { name: 'Coro <del> puerto', zone: 'Europe/Madrid' });
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana, 'Avisos del barrio');
    const event = (title: string, count = 1, first = 3) => ({
      ...{ title, location: 'Plaza & fuente', allDay: false },
      dates: Array.from({ length: count }, (_, index) => ({
        start: `${day(index + first)}T20:30`,
      })),
    });
    await forum().comment(ana, _id, '', { event: event('Ensayo <b>') });
    await forum().comment(ana, _id, '', { event: event('Secreto') });
    await hideContent(forum(), `${_id}-2`);
    const { status, html } = await read();
    assert.equal(status, 200);
    assert.match(html, /<h1><bdi>Coro &lt;del&gt; puerto<\/bdi><\/h1>/);
    assert.match(html, /Ensayo &lt;b&gt;.*20:30, en Plaza &amp; fuente/);
    assert.doesNotMatch(html, /Secreto|solo para sus miembros/);
    assert.match(html, /<h2 dir="auto"><bdi>Avisos del barrio<\/bdi>/);
    // Of the date, of the channel, and of the community at the foot.
    assert.equal(html.match(/<svg/g)?.length, 3);

    const eva = await staff(forum());
    for (const text of ['Uno', 'Dos', 'Asamblea <i>'])
      await forum().comment(eva, _id, text, { announcement: {} });
    await forum().comment(ana, _id, '', { event: event('😀'.repeat(80), 20) });
    await forum().comment(ana, _id, '', { event: event('Lejana', 1, 40) });
    const full = (await read()).html;
    assert.match(full, /Comunicado<\/h2><p dir="auto"><bdi>Asamblea &lt;i&gt;/);
    assert.doesNotMatch(full, /Uno<|Lejana/);
    assert.equal(full.match(/<li>/g)?.length, 2 + 6 + 1);

    const poll = { ...newPoll(forum()), closesAt: `${day(5)}T18:30:00Z` };
    for (const text of ['¿Quién <trae> sillas?', '', 'Otra'])
      await forum().comment(ana, _id, text, { poll });
    for (const name of ['Dos', 'Tres']) {
      const { _id: id } = await forum().channel(ana, name);
      await forum().comment(ana, id, 'Hola');
    }
    const crowded = (await read()).html;
    assert.match(
      crowded,
      /¿Quién &lt;trae&gt; sillas\?.*Encuesta abierta hasta el \S+ \d+ de \w+, (19|20):30/,
    );
    assert.match(crowded, /<bdi>Playa<\/bdi>/);
    assert.equal(crowded.match(/<li>/g)?.length, 2 + 6 + 2 + 1);
  });

  test('of a community of members says so, and is for members only', async () => {
    await changeSettings(forum(), { readers: 'members', contact: 'ana@coro.example' });
    const { html } = await read();
    assert.doesNotMatch(html, /Ensayo/);
    const { token } = await forum().person('Beto');
    const response = await forum().call('GET', '/poster', { token });
    assert.match(await response.text(), /Esta comunidad es solo para sus miembros/);
  });
});
