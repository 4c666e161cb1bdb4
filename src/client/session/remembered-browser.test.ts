import assert from 'node:assert/strict';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { Forum, type Person } from '../../../test/forum/forum.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import type { SignedIn } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { defineCall } from '../api/call.ts';
import { Failure } from '../api/failures.ts';
import { request, setRefusalHandler, setSessionLostHandler } from '../api/request.ts';
import { localStore, sessionStore } from '../storage/browser-storage.ts';
import {
  currentToken,
  discardRemembered,
  readRemembered,
  readSession,
  setRemembered,
} from '../storage/session.ts';
import { getProfile } from './account-calls.ts';
import { renewSession, resume } from './remembered-browser.ts';
import { saveSession } from './save-session.ts';

let forum: Forum;
/** For each session that was lost, whether the page had made the call by itself. */
const lost: boolean[] = [];
let refused = 0;
before(async () => {
  forum = await Forum.start('sqlite');
  setSessionLostHandler((isBackground) => lost.push(isBackground));
  setRefusalHandler(() => {
    refused += 1;
  });
});
after(() => forum.stop());
beforeEach(() => {
  localStore.clear();
  sessionStore.clear();
  lost.length = 0;
  refused = 0;
});

/**
 * Sends the client's requests to the forum, as a browser would.
 * @param beforeAnswer called when the response to `POST resume` arrives
 * @returns the browser, and the requests that were sent
 */
function browse(t: TestContext, beforeAnswer = () => {}) {
  const browser = new RememberedBrowser(forum);
  const sent: string[] = [];
  const { fetch } = globalThis;
  t.mock.method(globalThis, 'fetch', async (url: string | URL, init: RequestInit = {}) => {
    // Not a request of the client.
    if (url instanceof URL) return fetch(url, init);
    const { method = 'GET', body } = init;
    sent.push(`${method} ${url}`);
    const response = await browser.call(method, url, {
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof body === 'string' && { body: JSON.parse(body) }),
    });
    if (url === apiRoutes.resume) beforeAnswer();
    return response;
  });
  return { browser, sent };
}

/** Signs in with `remember`, in this tab too. */
async function enter(browser: RememberedBrowser, person: Person): Promise<string> {
  const token = await browser.signIn(person);
  const { id, name, email, img } = person;
  saveSession({ token, user: { id, name, email, img } });
  setRemembered(id);
  return token;
}

const endSessions = ({ id }: Person) =>
  forum.services.db.deleteFrom('sessions').where('account_id', '=', id).execute();

const isFailure = (status: number) => (failure: unknown) => {
  assert.ok(failure instanceof Failure);
  assert.equal(failure.status, status);
  return true;
};

test('a call with an ended session is made again with a new one while the browser is remembered', async (t) => {
  const ana = await forum.person();
  const { browser, sent } = browse(t);
  const token = await enter(browser, ana);
  await endSessions(ana);
  assert.equal((await request(getProfile)).id, ana.id);
  assert.notEqual(currentToken(), token);
  assert.deepEqual(sent, [
    `GET ${apiRoutes.me}`,
    `POST ${apiRoutes.resume}`,
    `GET ${apiRoutes.me}`,
  ]);
  assert.deepEqual(lost, []);
});

test('a session is lost when the browser remembers nobody, or somebody else, and nothing asks the server to renew it', async (t) => {
  const ana = await forum.person();
  for (const leave of [discardRemembered, () => setRemembered('somebody else')]) {
    t.mock.restoreAll();
    lost.length = 0;
    const { browser, sent } = browse(t);
    await enter(browser, ana);
    await endSessions(ana);
    leave();
    await assert.rejects(request(getProfile, undefined, { isBackground: true }), isFailure(401));
    assert.deepEqual(sent, [`GET ${apiRoutes.me}`]);
    assert.deepEqual(lost, [true]);
  }
});

test('a session is lost, and the browser is no longer remembered, when the server does not know its cookie', async (t) => {
  const ana = await forum.person();
  const { browser } = browse(t);
  await enter(browser, ana);
  await endSessions(ana);
  browser.cookie = '';
  await assert.rejects(request(getProfile), isFailure(401));
  assert.deepEqual(lost, [false]);
  assert.equal(readRemembered(), null);
});

test('a tab opens nothing by the cookie of another account, and the browser is no longer remembered', async (t) => {
  const [ana, bruno] = [await forum.person(), await forum.person()];
  const { browser } = browse(t);
  await browser.signIn(bruno);
  setRemembered(ana.id);
  assert.equal(await resume(), 'not remembered');
  assert.equal(readSession(), null);
  assert.equal(readRemembered(), null);
});

test('nothing is discarded while it is unknown whether the browser is remembered', async (t) => {
  const ana = await forum.person();
  const { browser } = browse(t, () => {
    throw new TypeError('connection lost');
  });
  const token = await enter(browser, ana);
  await endSessions(ana);
  await assert.rejects(request(getProfile), isFailure(0));
  assert.deepEqual(lost, []);
  assert.equal(readRemembered(), ana.id);
  assert.equal(currentToken(), token);
});

test('a new session is not used when its user has signed out, or another has signed in, before it arrives', async (t) => {
  const ana = await forum.person();
  const leaves: (() => void)[] = [
    discardRemembered,
    () => setRemembered('other'),
    sessionStore.clear,
  ];
  for (const leave of leaves) {
    t.mock.restoreAll();
    const { browser } = browse(t, leave);
    const token = await enter(browser, ana);
    await endSessions(ana);
    assert.equal(await renewSession(token), 'lost');
    assert.notEqual(readSession()?.id, 'other');
  }
});

test('a token that the tab has replaced since is not renewed again', async (t) => {
  const ana = await forum.person();
  const { browser, sent } = browse(t);
  await enter(browser, ana);
  assert.equal(await renewSession('earlier'), 'renewed');
  sessionStore.clear();
  assert.equal(await renewSession('earlier'), 'lost');
  assert.deepEqual(sent, []);
});

test('one request opens the session of a tab, however often it is asked for, and none without a remembered account', async (t) => {
  const ana = await forum.person();
  const { browser, sent } = browse(t);
  assert.equal(await resume(), 'not remembered');
  await enter(browser, ana);
  const [one, other] = await Promise.all([resume(), resume()]);
  assert.equal((one as SignedIn).user.id, ana.id);
  assert.equal(one, other);
  assert.deepEqual(sent, [`POST ${apiRoutes.resume}`]);
});

test('a community of members is read with the token where the cookie has ended, and a guest is told', async (t) => {
  const ana = await forum.person();
  const { browser, sent } = browse(t);
  await changeSettings(forum, { readers: 'members', contact: 'ana@foro.example' });
  t.after(() => changeSettings(forum, { readers: 'everyone' }));
  const readChannels = defineCall('GET', apiRoutes.channels);
  await assert.rejects(request(readChannels), isFailure(401));
  assert.equal(refused, 1);
  await enter(browser, ana);
  await request(readChannels);
  assert.equal(sent.length, 3);
  // A session that has ended is told to the handler of lost sessions.
  await endSessions(ana);
  discardRemembered();
  await assert.rejects(request(readChannels), isFailure(401));
  assert.equal(refused, 1);
  assert.deepEqual(lost, [true]);
});
