import assert from 'node:assert/strict';
import type { User } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/routes.ts';
import type { Community } from './community.ts';
import { addresses, badCovers, badTexts, covers, madeUp, userNames } from './hard-texts.ts';

/** Something that a visitor does, and how often in a script. */
export interface Step {
  name: string;
  times: number;
  take: (community: Community) => Promise<void>;
}

const basic = (email: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` },
});

async function signUp({ transcript, random, members }: Community): Promise<void> {
  const spellings = random.pick(addresses);
  // Composed and decomposed are the same password.
  const password = random.pick(['contrase\u00f1a: larga', 'contrasen\u0303a: larga', '🦖']);
  const { status, json } = await transcript.call('POST', apiRoutes.signUp, {
    body: {
      name: random.pick(userNames),
      email: random.pick(spellings),
      password,
      img: random.pick([null, undefined, '', ...covers]),
    },
  });
  if (status === 201) members.push({ user: json as User, spellings, password, tokens: [] });
}

async function signUpBadly({ transcript, random }: Community): Promise<void> {
  const one = { name: 'A', email: 'a@ejemplo.es', password: 'x' };
  const body = random.pick<unknown>([
    { ...one, name: random.pick(badTexts) },
    { ...one, email: random.pick([...badTexts, 'con:dos', `${'l'.repeat(255)}`]) },
    { ...one, password: random.pick(['', 'ñ'.repeat(513), '\ud800']) },
    { ...one, img: random.pick([...badCovers, 'no']) },
    { ...one, name: 7 },
    {},
    '{',
  ]);
  await transcript.call('POST', apiRoutes.signUp, { body });
}

async function signIn(community: Community): Promise<void> {
  const { transcript, random } = community;
  const member = community.member();
  if (!member) return;
  const { status, json } = await transcript.call(
    'POST',
    apiRoutes.signIn,
    basic(random.pick(member.spellings), member.password.normalize(random.pick(['NFC', 'NFD']))),
  );
  // The two must not be wrong together.
  assert.equal(status, 200, 'every spelling of the address signs in');
  member.tokens.push((json as { token: string }).token);
}

async function signInBadly(community: Community): Promise<void> {
  const { transcript, random } = community;
  const spellings = community.member()?.spellings ?? addresses[0];
  const options = random.pick([
    basic(random.pick(spellings), 'otra'),
    basic(random.pick(madeUp), 'x'),
    basic('', ''),
    { headers: { authorization: 'Basic ñ' } },
    { headers: { authorization: `Basic ${Buffer.from([0xff, 0x3a]).toString('base64')}` } },
    {},
  ]);
  await transcript.call('POST', apiRoutes.signIn, options);
}

async function updateImage(community: Community): Promise<void> {
  const { transcript, random, members, images } = community;
  const member = community.member();
  const body = {
    img: random.pick<unknown>([null, ...covers, ...images, random.pick(badCovers), 7]),
    ...random.pick<object>([
      {},
      { id: member?.user.id, email: member && random.pick(member.spellings) },
      { id: members[0]?.user.id },
      { email: random.pick(madeUp) },
      { id: random.pick(madeUp) },
    ]),
  };
  const token = member?.tokens.at(-1);
  await transcript.call('PUT', apiRoutes.updateImage, { body, ...(token ? { token } : {}) });
}

export const accountSteps: Step[] = [
  { name: 'sign up', times: 18, take: signUp },
  { name: 'sign up badly', times: 8, take: signUpBadly },
  { name: 'sign in', times: 20, take: signIn },
  { name: 'sign in badly', times: 8, take: signInBadly },
  { name: 'change the image', times: 10, take: updateImage },
  {
    name: 'set a password with a made-up link',
    times: 3,
    take: async ({ transcript, random }) => {
      const token = random.pick(['', 'a'.repeat(43), '\0', '\ud800']);
      const body = { token, password: random.pick(['otra', '']) };
      await transcript.call('POST', apiRoutes.setPassword, { body });
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
    name: 'ask who I am',
    times: 10,
    take: async (community) => {
      await community.transcript.call('GET', apiRoutes.me, community.token());
    },
  },
  {
    // Long enough for sessions to be made longer, and for those nobody uses to end.
    name: 'let days go by',
    times: 3,
    take: async (community) => {
      community.clock.nowMs += community.between(1, 16) * 86_400_000;
    },
  },
];
