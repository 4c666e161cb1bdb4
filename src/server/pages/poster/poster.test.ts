import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
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
    const { _id } = await forum().channel(ana);
    const event = (title: string, count = 1) => ({
      ...{ title, location: 'Plaza & fuente', allDay: false },
      dates: Array.from({ length: count }, (_, index) => ({ start: `${day(index + 3)}T20:30` })),
    });
    await forum().comment(ana, _id, '', { event: event('Ensayo <b>') });
    await forum().comment(ana, _id, '', { event: event('Secreto') });
    await hideContent(forum(), `${_id}-2`);
    const { status, html } = await read();
    assert.equal(status, 200);
    assert.match(html, /<h1><bdi>Coro &lt;del&gt; puerto<\/bdi><\/h1>/);
    assert.match(html, /Ensayo &lt;b&gt;.*20:30, en Plaza &amp; fuente/);
    assert.doesNotMatch(html, /Secreto|solo para sus miembros/);
    // Of the date, and of the community at the foot.
    assert.equal(html.match(/<svg/g)?.length, 2);

    await forum().comment(ana, _id, '', { event: event('😀'.repeat(80), 53) });
    assert.equal((await read()).html.match(/<li>/g)?.length, 10);
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
