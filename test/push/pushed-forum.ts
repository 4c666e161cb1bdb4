import assert from 'node:assert/strict';
import { tellInOneProcess } from '../../src/server/notifications/pass/start-telling.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { NotificationSettings } from '../../src/shared/notification-settings.ts';
import { type Engine, Forum, type Person } from '../forum/forum.ts';
import { PushService } from './push-service.ts';
import { remembered, site } from './remembered.ts';

/** A forum that pushes to a service of the test, on a clock that the test advances. */
export async function startPushedForum(engine: Engine, env: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack();
  const service = await PushService.start();
  opened.defer(() => service.stop());
  let aheadMs = 0;
  const forum = await Forum.start(
    engine,
    { PUBLIC_URL: site, ...env },
    {
      now: () => Date.now() + aheadMs,
      isPushService: ({ origin }) => origin === service.origin,
    },
  );
  opened.defer(() => forum.stop());
  const started = opened.move();
  const push = () => tellInOneProcess(forum.services, { isMailing: false });
  return {
    forum,
    service,
    /** Advances the clock of the forum. */
    wait: (ms: number) => {
      aheadMs += ms;
    },
    /** Sets the clock of the forum. */
    setTime: (ms: number) => {
      aheadMs = ms - Date.now();
    },
    /** Pushes what is due now, and returns it. */
    pushed: async () => {
      await push();
      return service.take();
    },
    /** Creates a person whose browser is pushed to. */
    subscribed: async (name = 'Ana') => {
      const person = await remembered(forum, await forum.person(name));
      const subscription = service.subscribe();
      const { token } = person;
      await forum.json('POST', apiRoutes.push, { token, body: subscription });
      return { ...person, subscription };
    },
    settingsOf: async ({ token }: Person) => {
      const { push } = await forum.json<NotificationSettings>(
        'GET',
        apiRoutes.notificationSettings,
        { token },
      );
      assert.ok(push);
      return push;
    },
    change: ({ token }: Person, push: object) =>
      forum.call('PATCH', apiRoutes.notificationSettings, { token, body: { push } }),
    /** Creates a channel by another person, who replies to the first one there. */
    answered: async (person: Person, text = 'Yo también', name = 'Cine', author = 'Bea') => {
      const other = await forum.person(author);
      const { _id } = await forum.channel(other, name);
      await forum.comment(person, _id, 'Empiezo yo');
      await forum.comment(other, _id, text, { replyTo: 1 });
      return { channelId: _id, other };
    },
    stop: () => started.disposeAsync(),
  };
}
