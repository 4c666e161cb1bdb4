import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { decided, staff, user } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Summary } from '../../../shared/moderation.ts';
import { dayMs } from '../../system/times.ts';
import { timeIn } from '../../system/zones.ts';

onBothEngines('how the community goes', (forum, wait) => {
  test('is counted by week as it can be read, once an hour, for moderators', async () => {
    await changeSettings(forum(), { zone: 'America/Mexico_City' });
    const eva = await staff(forum());
    const [ana, beto] = [await forum().person('Ana'), await forum().person('Beto')];
    const read = () => forum().json<Summary>('GET', apiRoutes.summary, eva);
    const garden = await forum().channel(ana);
    for (const text of ['Uno', 'Dos']) await forum().comment(ana, garden._id, text);
    await forum().comment(beto, garden._id, 'Tres');
    wait(7 * dayMs);
    const kitchen = await forum().channel(ana);
    for (const { _id } of [garden, kitchen]) await forum().comment(ana, _id, 'Más');
    const noise = await forum().person('Ruido');
    await forum().comment(noise, kitchen._id, 'Nada');
    await decided(forum(), eva, { subject: user(noise), action: 'hideAll' });

    const { at, weeks, bars } = await read();
    assert.equal(weeks.length, 12);
    const monday = timeIn('America/Mexico_City', Date.parse(at)).toPlainDate();
    const first = monday.subtract({ days: monday.dayOfWeek - 1, weeks: 11 });
    assert.equal(weeks[0]?.from, first.toString());
    assert.deepEqual(
      weeks.slice(9).map(({ from: _, ...counts }) => counts),
      [
        { comments: 0, writers: 0, channels: 0, newMembers: 0 },
        { comments: 3, writers: 2, channels: 1, newMembers: 3 },
        { comments: 2, writers: 1, channels: 2, newMembers: 0 },
      ],
    );
    const heights = [...decodeURIComponent(bars.comments).matchAll(/height="(\d+)"\/>/g)];
    assert.deepEqual(
      heights.slice(9).map(([, height]) => height),
      ['0', '60', '40', '1'],
    );
    assert.doesNotMatch(JSON.stringify({ weeks, bars }), /Ana|Beto|[0-9a-f]{8}-/);

    await forum().comment(ana, garden._id, 'Otro');
    assert.equal((await read()).weeks.at(-1)?.comments, 2);
    wait(60 * 60 * 1000);
    assert.equal((await read()).weeks.at(-1)?.comments, 3);
    await expectProblem(await forum().call('GET', apiRoutes.summary, ana), 404, 'not_found');
  });
});
