import assert from 'node:assert/strict';
import type { SessionList } from '../../src/shared/account-settings.ts';
import type { User } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Community } from './community.ts';
import { addresses, badCovers, badTexts, covers, madeUp, userNames } from './hard-texts.ts';

/** One action of a visitor, and how often a script contains it. */
export interface Step {
  name: string;
  times: number;
  take: (community: Community) => Promise<void>;
}

const basic = (email: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` },
});

async function signUp(community: Community): Promise<void> {
  const { transcript, members } = community;
  const spellings = community.pick(addresses);
  // The composed and decomposed forms are the same password.
  const password = community.pick(['contrase\u00f1a: larga', 'contrasen\u0303a: larga', '🦖']);
  const { status, json } = await transcript.call('POST', apiRoutes.signUp, {
    body: {
      name: community.pick(userNames),
      email: community.pick(spellings),
      password,
      img: community.pick([null, undefined, '', ...covers]),
    },
  });
  if (status === 201)
    members.push({ user: json as User, spellings, password, tokens: [], cookie: '' });
}

async function signUpWithBadInput(community: Community): Promise<void> {
  const { transcript } = community;
  const one = { name: 'A', email: 'a@ejemplo.es', password: 'x' };
  const body = community.pick<unknown>([
    { ...one, name: community.pick(badTexts) },
    { ...one, email: community.pick([...badTexts, 'con:dos', `${'l'.repeat(255)}`]) },
    { ...one, password: community.pick(['', 'ñ'.repeat(513), '\ud800']) },
    { ...one, img: community.pick([...badCovers, 'no']) },
    { ...one, name: 7 },
    {},
    '{',
  ]);
  await transcript.call('POST', apiRoutes.signUp, { body });
}

async function signIn(community: Community): Promise<void> {
  const { transcript } = community;
  const member = community.member();
  if (!member) return;
  const { status, json } = await transcript.call(
    'POST',
    apiRoutes.signIn,
    basic(
      community.pick(member.spellings),
      member.password.normalize(community.pick(['NFC', 'NFD'])),
    ),
  );
  // Asserted here, because a comparison of the engines misses a fault that both have.
  assert.equal(status, 200, `a spelling of the address does not sign in: ${JSON.stringify(json)}`);
  member.tokens.push((json as { token: string }).token);
}

async function signInWithBadCredentials(community: Community): Promise<void> {
  const { transcript } = community;
  const spellings = community.member()?.spellings ?? addresses[0];
  const options = community.pick([
    basic(community.pick(spellings), 'otra'),
    basic(community.pick(madeUp), 'x'),
    basic('', ''),
    { headers: { authorization: 'Basic ñ' } },
    { headers: { authorization: `Basic ${Buffer.from([0xff, 0x3a]).toString('base64')}` } },
    {},
  ]);
  await transcript.call('POST', apiRoutes.signIn, options);
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

async function staySignedIn(community: Community): Promise<void> {
  const member = community.member();
  if (!member) return;
  const { headers } = basic(member.spellings[0], member.password);
  const { json, cookie } = await community.transcript.call('POST', apiRoutes.signIn, {
    headers: { ...headers, ...sameOrigin },
    body: { remember: true },
  });
  member.tokens.push((json as { token: string }).token);
  member.cookie = cookie ?? '';
}

async function resume(community: Community): Promise<void> {
  const member = community.member();
  if (!member) return;
  const { status, json } = await community.transcript.call('POST', apiRoutes.resume, {
    headers: {
      ...community.pick([sameOrigin, sameOrigin, {}]),
      cookie: community.pick([member.cookie, member.cookie, 'tertulia=x', '']),
    },
    body: { accountId: member.user.id },
  });
  if (status === 200) member.tokens.push((json as { token: string }).token);
}

async function editAccount(community: Community): Promise<void> {
  const { transcript } = community;
  const member = community.member();
  const token = member?.tokens.at(-1);
  if (!member || !token) return;
  const spellings = community.pick(addresses);
  const email = community.pick<string | undefined>([
    undefined,
    undefined,
    community.pick(spellings),
  ]);
  const password = community.pick<string | undefined>([undefined, undefined, 'otra: más']);
  const currentPassword = community.pick([member.password, member.password, 'otra']);
  const { status } = await transcript.call('PATCH', apiRoutes.me, {
    token,
    body: {
      name: community.pick([undefined, ...userNames, community.pick(badTexts)]),
      email,
      password,
      currentPassword,
    },
  });
  if (status !== 200) return;
  if (email !== undefined) member.spellings = spellings;
  if (password !== undefined) member.password = password;
}

async function endSessions(community: Community): Promise<void> {
  const { transcript } = community;
  const caller = community.token();
  const { json } = await transcript.call('GET', apiRoutes.sessions, caller);
  const listed = (json as Partial<SessionList>).data ?? [];
  const { id } = community.pick([{ id: 'x' }, ...listed]);
  const url = community.pick([apiRoutes.sessions, apiRoutes.session(id)]);
  await transcript.call('DELETE', url, caller);
}

async function updateImage(community: Community): Promise<void> {
  const { transcript, members, images } = community;
  const member = community.member();
  const body = {
    img: community.pick<unknown>([null, ...covers, ...images, community.pick(badCovers), 7]),
    ...community.pick<object>([
      {},
      { id: member?.user.id, email: member && community.pick(member.spellings) },
      { id: members[0]?.user.id },
      { email: community.pick(madeUp) },
      { id: community.pick(madeUp) },
    ]),
  };
  const token = member?.tokens.at(-1);
  await transcript.call('PUT', apiRoutes.updateImage, { body, ...(token ? { token } : {}) });
}

export const accountSteps: Step[] = [
  { name: 'sign up', times: 18, take: signUp },
  { name: 'sign up with bad input', times: 8, take: signUpWithBadInput },
  { name: 'sign in', times: 20, take: signIn },
  { name: 'sign in with bad credentials', times: 8, take: signInWithBadCredentials },
  { name: 'stay signed in', times: 8, take: staySignedIn },
  { name: 'resume', times: 10, take: resume },
  { name: 'change name, e-mail or password', times: 12, take: editAccount },
  { name: 'end sessions', times: 5, take: endSessions },
  {
    name: 'revoke the remembered browser',
    times: 2,
    take: async (community) => {
      const cookie = community.member()?.cookie ?? '';
      await community.transcript.call('DELETE', apiRoutes.resume, {
        headers: { ...sameOrigin, cookie },
      });
    },
  },
  { name: 'change the avatar', times: 10, take: updateImage },
  {
    name: 'set a password with a made-up link',
    times: 3,
    take: async (community) => {
      const token = community.pick(['', 'a'.repeat(43), '\0', '\ud800']);
      const body = { token, password: community.pick(['otra', '']) };
      await community.transcript.call('POST', apiRoutes.setPassword, { body });
    },
  },
  {
    name: 'sign out',
    times: 6,
    take: async (community) => {
      await community.transcript.call('POST', apiRoutes.signOut, community.token());
    },
  },
  {
    name: 'read my account',
    times: 10,
    take: async (community) => {
      await community.transcript.call('GET', apiRoutes.me, community.token());
    },
  },
  {
    // Enough days to extend sessions in use and to let unused ones expire.
    name: 'advance the clock by days',
    times: 3,
    take: async (community) => {
      community.clock.nowMs += community.between(1, 16) * 86_400_000;
    },
  },
];
