import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { parseConfig } from '../../src/server/config/config.ts';
import {
  formatChannelCursor,
  formatIdCursor,
  formatTimedCursor,
} from '../../src/server/database/cursors.ts';
import { openDatabase } from '../../src/server/database/database.ts';
import { toStoredText } from '../../src/server/database/stored-text.ts';
import type { Database } from '../../src/server/database/tables.ts';
import { isIndexComplete, requestRebuild } from '../../src/server/search/index/index-state.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import { limits } from '../../src/shared/limits.ts';
import { assetRoutes, homeUrl, pageRoutes, withQuery } from '../../src/shared/routes.ts';
import { eventually } from '../eventually.ts';
import { fillDetails, filled } from '../forum/fill-forum.ts';
import { Forum } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { noisyImage } from '../forum/tus-upload.ts';
import { watchRoutes } from '../forum/watch-routes.ts';
import { memoryOf } from '../processes/process-memory.ts';
import { serveSettings } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { HealthWatch } from './health-watch.ts';

const connections = 250;
/** Duration of the phase in which every connection sends another request after each response. */
const readMs = 1200;
/** Duration of the phase in which every connection leaves a response unread. */
const unreadMs = 800;
const channels = 40;
const comments = 2000;
const warmUps = 30;
const goal = { healthMs: 500, peakMb: 250 };
/** A route that holds the server does so each time; a disk or a virtual machine that stalls does not. */
const maxTries = 3;
/** Another address than the one that requests `/healthz`. */
const localAddress = '127.0.0.2';

interface World {
  id: string;
  token: string;
  /** Path of an image, `images/…`. */
  image: string;
  /** Times between which a thousand accounts were opened. */
  arrivals: string;
}

/** Accounts that were opened at once, each with one of the longest comments. */
const arrivedMs = Date.parse('2026-01-01T00:00:00Z');

/** Returns the URL of the nth request: a different one each time wherever several are equally costly. */
type Costliest = (n: number, world: World) => string;
const channelOf = (n: number) => filled.channelId(n % channels);
/** Returns a comment number in the channel of the longest comments. */
const commentNumber = (n: number) => (n * 10) % comments;

const cases = 40;
const ownDecisions = 100;
const versions = 50;
const decisionOf = (n: number) => `01a00000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const logCursor = (n: number) => ({ atMs: arrivedMs + 1, id: decisionOf(n % ownDecisions) });

/** The costliest parameters of each route. */
const costliest: Record<string, Costliest> = {
  '/api/openapi.json': () => '/api/openapi.json',
  '/api/docs': () => '/api/docs',
  '/api/docs/*': (n) => `/api/docs/static/swagger-ui-bundle.js?${n}`,
  '/api/user/me': () => apiRoutes.me,
  '/api/user/sessions': () => apiRoutes.sessions,
  '/api/user/recovery-codes': () => apiRoutes.recoveryCodes,
  '/api/user/passkeys': () => apiRoutes.passkeys,
  '/api/user/export': () => apiRoutes.export,
  '/api/user/bin': () => apiRoutes.bin,
  '/api/user/news': () =>
    `${apiRoutes.news}?channels=${Array.from({ length: channels }, (_, index) => channelOf(index))}`,
  '/api/users': (n) => `${apiRoutes.users}?channel=${channelOf(n)}&prefix=v`,
  '/api/users/:id': (_n, { id }) => apiRoutes.user(id),
  '/api/users/:id/channels': (n, { id }) => `${apiRoutes.userChannels(id)}?limit=${100 - (n % 50)}`,
  '/api/users/:id/comments': (n, { id }) => `${apiRoutes.userComments(id)}?limit=${100 - (n % 50)}`,
  '/api/channels': (n) =>
    `${apiRoutes.channels}?limit=${100 - (n % 50)}&comments=${100 - (n % 49)}`,
  '/api/channels/:id': (n) => `${apiRoutes.channel(channelOf(0))}?comments=${100 - (n % 50)}`,
  '/api/channels/:id/comments': (n) =>
    `${apiRoutes.channelComments(channelOf(0))}?around=${commentNumber(n)}&limit=${100 - (n % 50)}`,
  '/api/channels/:id/comments/:number/replies': (n) =>
    `${apiRoutes.replies(channelOf(0), 3)}?limit=${100 - (n % 50)}`,
  '/api/channels/:id/comments/:number/thanks': (n) =>
    `${apiRoutes.thanks(channelOf(0), commentNumber(n))}?limit=${100 - (n % 50)}`,
  '/api/channels/:id/thanks': (n) => `${apiRoutes.thanked(channelOf(n))}?from=1&to=${comments}`,
  '/api/channels/:id/live': (n) =>
    `${apiRoutes.channelLive(channelOf(0))}?after=${commentId(channelOf(0), comments - 90 + (n % 50))}`,
  '/api/files/images/:name': (_n, { image }) => apiRoutes.storedFile(image),
  '/files/images/:name': (_n, { image }) => assetRoutes.file(image),
  '/files/images/:name/:variant': (_n, { image }) =>
    assetRoutes.variant(assetRoutes.file(image), 'card.jpg'),
  '/api/channels/:id/comments/:number/versions': () => apiRoutes.versions(channelOf(0), 1),
  '/api/user/decisions': () => apiRoutes.ownDecisions,
  '/api/reports/:receipt': (n) => apiRoutes.report(`receipt-${n % cases}`),
  '/api/moderation/queue': () => apiRoutes.queue,
  '/api/moderation/decisions/:id': (n) => apiRoutes.decision(decisionOf(n % ownDecisions)),
  '/api/moderation/arrivals': (_n, { arrivals }) => arrivals,
  '/api/user/held': () => apiRoutes.held,
  '/api/rules': () => apiRoutes.rules,
  '/rules': () => pageRoutes.rules,
  '/api/moderation/settings': () => apiRoutes.siteSettings,
  '/api/invitations': () => apiRoutes.invitations,
  '/api/log': (n) => `${apiRoutes.log}?after=${formatIdCursor(logCursor(n))}`,
  '/log': (n) => `${pageRoutes.log}?after=${formatIdCursor(logCursor(n))}`,
  '/api/search': (n) => `${apiRoutes.search}?q=el+lun+${n}&typing=1&limit=100&sort=relevance`,
  '/healthz': () => '/healthz',
  '/readyz': () => '/readyz',
  '/': (n) => homeUrl('new', formatChannelCursor({ order: 'new', id: channelOf(n) })),
  '/channel/:id': (n) => `${pageRoutes.channel(channelOf(0))}?n=${commentNumber(n)}`,
  '/user/:id': (n, { id }) =>
    `${pageRoutes.user(id)}?after=${formatTimedCursor('', { atMs: Date.now(), channelId: channelOf(0), number: n })}`,
  '/search': (n) => `${pageRoutes.search}?q=el+lunes+${n}`,
  '/azulejo/:seed.svg': (n) => assetRoutes.azulejo(String(n)),
};
/** Pages without data and the files of the build, each of which is one cached response. */
const constant =
  /^\/(?:password|settings|moderation|moderation\/settings|recover|login|register|create|profile|(?:assets\/)?[\w.-]+\.(?:js|css|svg|png|txt))$/;
/** The longest variant of the list, tested in addition to the list with parameters. */
const alsoDriven: Record<string, Costliest> = {
  'the bare list': () => apiRoutes.channels,
  'pages that do not exist': (n) => `/nada-${n}`,
};

/** Inserts forty channels of 2,000 comments of one account, one with the longest comments; and a full bin. */
async function fill(db: Database, accountId: string): Promise<void> {
  const nowMs = Date.now();
  for (let index = 0; index < channels; index++) {
    const id = channelOf(index);
    const text = index === 0 ? '😀'.repeat(limits.commentChars) : `${filled.text} `.repeat(2);
    await db
      .insertInto('channels')
      .values({
        id,
        account_id: accountId,
        name: `Canal ${index}`,
        description: 'á'.repeat(limits.descriptionChars),
        cover: assetRoutes.defaultAvatar,
        cover_alt: '',
        comment_count: comments,
        last_comment_number: comments,
        created_at_ms: nowMs,
        active_at_ms: nowMs,
      })
      .execute();
    await sql`
      insert into comments (channel_id, number, account_id, text, created_at_ms)
      with recursive numbers (number) as (
        select 1 union all select number + 1 from numbers where number < ${comments})
      select ${id}, number, ${accountId}, case when number <= 200 then ${text} else ${filled.text} end, ${nowMs}
      from numbers
    `.execute(db);
  }
  await fillDetails(db);
  await sql`
    insert into comments (channel_id, number, account_id, text, created_at_ms, deleted_at_ms)
    select channel_id, number + ${comments}, account_id, text, created_at_ms, ${nowMs}
    from comments where channel_id = ${channelOf(0)} and number <= 200
  `.execute(db);
  await fillModeration(db, accountId, nowMs);
  await requestRebuild(db);
}

/** Makes the account a moderator, about whom much was decided, with a full queue of the longest comments. */
async function fillModeration(db: Database, accountId: string, nowMs: number): Promise<void> {
  const text = toStoredText('😀'.repeat(limits.commentChars));
  const reason = 'á'.repeat(limits.reasonChars);
  const channel = channelOf(0);
  await db.updateTable('accounts').set({ role: 'moderator' }).where('id', '=', accountId).execute();
  await sql`
    insert into accounts (id, name, email, email_key, password_hash, created_at_ms, name_key)
    with recursive numbers (number) as (
      select 1 union all select number + 1 from numbers where number < ${limits.waveAccounts})
    select 'llega-' || number, 'Llega ' || number, '', 'llega-' || number, '', ${arrivedMs}, 'llega' from numbers
  `.execute(db);
  const first = 2 * comments;
  await sql`
    insert into comments (channel_id, number, account_id, text, created_at_ms)
    with recursive numbers (number) as (
      select 1 union all select number + 1 from numbers where number < ${limits.waveAccounts})
    select ${channelOf(1)}, ${first} + number, 'llega-' || number, ${text}, ${nowMs} from numbers
  `.execute(db);
  for (let n = 0; n < versions; n++) {
    const version = { channel_id: channel, number: 1, revision: n - versions };
    const row = { ...version, text, replaced_at_ms: nowMs };
    await db.insertInto('comment_versions').values(row).execute();
  }
  for (let n = 0; n < ownDecisions; n++) {
    const id = decisionOf(n);
    await db
      .insertInto('decisions')
      .values({
        ...{
          id,
          at_ms: arrivedMs,
          action: 'restore',
          category: 'other',
          reason,
          subject_kind: 'comment',
        },
        ...{
          subject_id: commentId(channel, n + 1),
          decided_by: null,
          until_ms: null,
          replaces: null,
        },
        ...{ undone_at_ms: null, undone_by: null },
      })
      .execute();
    await db
      .insertInto('decision_accounts')
      .values({
        decision_id: id,
        account_id: accountId,
        ended_by: null,
        work: null,
        appeal: reason,
        appealed_at_ms: nowMs,
      })
      .execute();
  }
  for (let n = 0; n < limits.heldPerAccount; n++) {
    const content = JSON.stringify({ channelId: channel, text, images: [] });
    await db
      .insertInto('held')
      .values({
        ...{
          id: decisionOf(n),
          account_id: accountId,
          kind: 'comment',
          channel_id: channel,
          content,
        },
        ...{ reason: 'first_post', revision: 1, rejected_by: null },
        ...{ created_at_ms: nowMs, expires_at_ms: nowMs + 30 * 86_400_000 },
      })
      .execute();
  }
  for (let n = 0; n < cases; n++) {
    const id = `case-${n}`;
    await db
      .insertInto('cases')
      .values({
        ...{
          id,
          subject_kind: 'comment',
          subject_id: commentId(channel, n + 1),
          account_id: accountId,
        },
        ...{
          appeal_of: null,
          text,
          images: '[]',
          revision: 1,
          report_count: 10,
          opened_at_ms: nowMs,
        },
        ...{ decided_at_ms: null, decision_id: null },
      })
      .execute();
    for (let report = 0; report < 10; report++) {
      await db
        .insertInto('reports')
        .values({
          ...{
            id: `${id}-${report}`,
            case_id: id,
            receipt: report === 0 ? `receipt-${n}` : `${id}-${report}`,
          },
          ...{
            account_id: null,
            reporter_key: String(report),
            reason: 'abuse',
            text: reason,
            said: text,
          },
          ...{ name: 'Vecina', email: '', created_at_ms: nowMs },
        })
        .execute();
    }
  }
}

/** Sends requests over all connections. @returns the number of responses by status */
async function drive(url: string, world: World, address: Costliest): Promise<string> {
  const headers = { authorization: `Bearer ${world.token}` };
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });
  const statuses = new Map<number, number>();
  let asked = 0;
  const ask = () => get(url + address(asked++, world), { agent, headers }).on('error', () => {});
  const endMs = performance.now() + readMs;
  const readOn = async () => {
    while (performance.now() < endMs) {
      const sent = ask();
      // Live streams and slow responses end with the connection.
      const timer = setTimeout(() => sent.destroy(), Math.max(1, endMs - performance.now()));
      try {
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        const status = response.statusCode ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await once(response.resume(), 'close');
      } catch {
        await delay(10);
      } finally {
        clearTimeout(timer);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, readOn));
  agent.destroy();

  const unreadAgent = new Agent({ localAddress });
  const unread = Array.from({ length: connections }, () =>
    get(url + address(asked++, world), { agent: unreadAgent, headers })
      .on('response', (response) => response.pause())
      .on('error', () => {}),
  );
  await delay(unreadMs);
  for (const sent of unread) sent.destroy();
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
}

describe(`${connections} connections to one route leave /healthz below ${goal.healthMs} ms and memory below ${goal.peakMb} MB`, async () => {
  const { started, routes } = await watchRoutes(() => Forum.start('sqlite'));
  const patterns: string[] = [];
  for (const route of routes) {
    const [method, pattern = ''] = route.split(' ');
    // A route without GET refuses it.
    if (method !== 'GET' || (await started.call('GET', pattern)).status === 405) continue;
    patterns.push(pattern);
  }
  await started.stop();

  let dataDir: string;
  let env: Record<string, string>;
  let world: World;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-get-'));
    env = { DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off', ...serveSettings };
    let server = await ServerProcess.start(env);
    const client = new ForumClient(server.url);
    const person = await client.person('Vecina');
    const file = await client.upload(person, await noisyImage(1200));
    const { fullPath: image } = (await file.json()) as { fullPath: string };
    const day = { from: '2025-12-31T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
    world = {
      id: person.id,
      token: person.token,
      image,
      arrivals: withQuery(apiRoutes.arrivals, day),
    };
    await server.stop();
    const db = openDatabase(parseConfig({ DATA_DIR: dataDir }), { noStatementTimeout: true });
    await fill(db, person.id);
    server = await ServerProcess.start(env);
    await eventually('the index is built', () => isIndexComplete(db), 300_000);
    await db.destroy();
    await server.stop();
  });
  after(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  test('every GET route has its costliest parameters named', () => {
    const named = (pattern: string) => pattern in costliest || constant.test(pattern);
    assert.deepEqual(
      patterns.filter((pattern) => !named(pattern)),
      [],
    );
    assert.deepEqual(
      Object.keys(costliest).filter((pattern) => !patterns.includes(pattern)),
      [],
    );
  });

  const [file = ''] = patterns.filter((pattern) => pattern.startsWith('/assets/'));
  const driven = { ...costliest, ...alsoDriven, [file]: () => file, '/login': () => '/login' };
  for (const [name, address] of Object.entries(driven)) {
    test(name, async (t) => {
      for (let tried = 1; ; tried++) {
        const { slowestMs, nowMb, peakMb, statuses } = await measure(name, address);
        t.diagnostic(
          `/healthz within ${slowestMs} ms, ${nowMb} MB before, ${peakMb} MB at most; ${statuses}`,
        );
        assert.ok(peakMb < goal.peakMb, `${peakMb} MB`);
        if (slowestMs < goal.healthMs) break;
        assert.ok(tried < maxTries, `${slowestMs} ms`);
      }
    });
  }

  async function measure(name: string, address: Costliest) {
    await using server = await ServerProcess.start(env);
    // A server that has just started still compiles its code.
    for (let asked = 0; asked < warmUps; asked++) {
      for (const url of [
        '/login',
        asked < 3 && name !== apiRoutes.export ? address(asked, world) : '/healthz',
      ]) {
        const answer = await fetch(server.url + url, {
          headers: { authorization: `Bearer ${world.token}` },
        });
        await (url.includes('/live?') ? answer.body?.cancel() : answer.arrayBuffer());
      }
    }
    const { nowMb } = memoryOf(server.pid);
    const watch = new HealthWatch(server);
    const statuses = await drive(server.url, world, address);
    const { slowestMs } = await watch.stop();
    return { slowestMs, nowMb, peakMb: memoryOf(server.pid).peakMb, statuses };
  }
});
