import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { SignedIn } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { PushSubscriptionBody } from '../../src/shared/notification-settings.ts';
import type { ForumClient, Person } from '../forum/forum-client.ts';

/** PUBLIC_URL of a forum that can push. */
export const site = 'https://foro.example';

/** A person in a browser that stays signed in, with the session's token. */
export async function remembered(forum: ForumClient, person: Person): Promise<Person> {
  const basic = Buffer.from(`${person.email}:${person.password}`).toString('base64');
  const { token } = await forum.json<SignedIn>('POST', apiRoutes.signIn, {
    headers: { authorization: `Basic ${basic}`, origin: site },
    body: { remember: true },
  });
  return { ...person, token };
}

/** A subscription as a browser makes one, at a push service that nothing is sent to. */
export function browserSubscription(): PushSubscriptionBody {
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
    keys: { p256dh, auth: randomBytes(16).toString('base64url') },
  };
}
