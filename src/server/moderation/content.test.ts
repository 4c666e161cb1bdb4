import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import type { Forum } from '../../../test/forum/forum.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { liveEvents } from '../../shared/live.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { readAudit } from '../database/audit-log.ts';
import { disableAccount } from './accounts.ts';
import { type Admin, AdminError } from './audited.ts';
import { hide, listComments, show } from './content.ts';

/** The administrator and services that a route of this server would use. */
const adminOf = ({ deps }: Forum): Admin => ({ ...deps, actor: 'eva', note: 'spam' });

onBothEngines('moderation by a running server', (forum) => {
  test('hiding and showing a comment changes its pages at once, and is in the audit log', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    await forum().comment(author, channel._id, 'uno-q');
    const pageText = async () =>
      (await forum().call('GET', pageRoutes.channel(channel._id))).text();
    // The page is cached from here on.
    assert.match(await pageText(), /uno-q/);
    const admin = adminOf(forum());
    const id = `${channel._id}-1`;

    await hide(admin, id);
    assert.doesNotMatch(await pageText(), /uno-q/);
    const [hidden] = await listComments(admin, channel._id);
    assert.deepEqual([hidden?.id, hidden?.state, hidden?.text], [id, 'hidden', 'uno-q']);
    await assert.rejects(hide(admin, id), AdminError);

    await show(admin, id);
    assert.match(await pageText(), /uno-q/);
    const entries = await readAudit(forum().deps.db, 2);
    assert.deepEqual(
      entries.map(({ actor, action, subject, note }) => [actor, action, subject, note]),
      [
        ['eva', 'hide-comment', id, 'spam'],
        ['eva', 'show-comment', id, 'spam'],
      ],
    );
  });

  test('readers of a channel are told at once that a comment is hidden, and shown again', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    await forum().comment(author, channel._id, 'uno');
    const id = `${channel._id}-1`;
    const reader = await LiveReader.open(forum(), channel._id, id);
    await hide(adminOf(forum()), id);
    assert.equal(await nextOf(reader, [liveEvents.gone, liveEvents.edit]), liveEvents.gone);
    await show(adminOf(forum()), id);
    assert.equal(await nextOf(reader, [liveEvents.gone, liveEvents.edit]), liveEvents.edit);
    reader.close();
  });

  test('the e-mail of a disabled account is returned', async () => {
    const person = await forum().person();
    assert.equal(await disableAccount(adminOf(forum()), person.id), person.email);
    assert.equal((await forum().signIn(person.email, person.password)).status, 403);
  });
});

/** The first event of one of these kinds. */
async function nextOf(reader: LiveReader, kinds: string[]): Promise<string> {
  for (;;) {
    const { event = '' } = await reader.next();
    if (kinds.includes(event)) return event;
  }
}
