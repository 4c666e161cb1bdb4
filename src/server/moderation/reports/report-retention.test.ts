import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { makeStaff } from '../../../../test/forum/make-staff.ts';
import { comment, decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { readZip, rowsIn } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { erasedName } from '../../../shared/erased-name.ts';
import type {
  OwnDecision,
  OwnDecisions,
  Queue,
  QueueItem,
  Receipt,
  Subject,
} from '../../../shared/moderation.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { readDecisions } from '../decisions/decision-log.ts';
import { readOwnReports } from './report-states.ts';

const dayMs = 86_400_000;

onEngine('sqlite', 'retention by moderation', (forum, wait) => {
  const signedIn = (person: Person) => forum().newSession(person);
  const report = (subject: Subject, text: string, token?: string) =>
    forum().json<Receipt>('POST', apiRoutes.reports, {
      ...(token && { token }),
      body: { ...subject, reason: 'abuse', text },
    });
  const stateOf = ({ receipt }: Receipt) => forum().call('GET', apiRoutes.report(receipt));
  const queued = async ({ token }: { token: string }, wanted: (item: QueueItem) => boolean) => {
    const { data } = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    const item = data.find(wanted);
    assert.ok(item);
    return item;
  };
  const exported = async ({ token }: Pick<Person, 'token'>, name: string) => {
    const answer = await forum().call('GET', apiRoutes.export, { token });
    return rowsIn(readZip(Buffer.from(await answer.arrayBuffer())), name);
  };
  const own = async (token: string) =>
    (await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, { token })).data;
  const eraseAccounts = async () => {
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().services);
    wait(60_001);
    await eraseDueAccounts(forum().services);
  };

  test('keeps a report until 30 days after its decision, and an open one longer', async () => {
    const [eva, ada] = [await makeStaff(forum()), await makeStaff(forum())];
    const author = await forum().person('Autora');
    const reporter = await forum().person('Denunciante');
    const { _id } = await forum().channel(author);
    await forum().comment(author, _id, 'Qwelkos');
    const subject = { kind: 'comment', id: `${_id}-1` } as const;
    const receipt = await report(subject, 'Zumpatas', reporter.token);
    const open = await report({ kind: 'channel', id: _id }, 'Abierta');
    const draft = { subject, action: 'hide', reason: 'Insulta' };
    const hidden = await decided(forum(), eva, draft);
    assert.deepEqual(await (await stateOf(receipt)).json(), { state: 'decided', outcome: 'hide' });
    await forum().json<OwnDecision>('POST', apiRoutes.appeal(hidden.id), {
      token: author.token,
      body: { text: 'Era broma' },
    });
    const { appeal } = await queued(ada, (item) => item.appeal?.decision.id === hidden.id);
    assert.equal(appeal?.text, 'Era broma');
    await undone(forum(), ada, hidden);
    const [decision] = await exported(author, 'decisiones.jsonl');
    assert.deepEqual([decision?.id, decision?.reason], [hidden.id, 'Insulta']);
    const [appealed] = await exported(author, 'recursos.jsonl');
    assert.deepEqual([appealed?.decisionId, appealed?.text], [hidden.id, 'Era broma']);
    assert.deepEqual(await exported(author, 'denuncias.jsonl'), []);
    wait(30 * dayMs - 60_000);
    await eraseExpired(forum().services);
    assert.equal((await stateOf(receipt)).status, 200);
    wait(60_001);
    await eraseExpired(forum().services);
    assert.equal((await stateOf(receipt)).status, 404);
    assert.deepEqual(await (await stateOf(open)).json(), { state: 'open' });
    assert.deepEqual(await findText(forum(), 'Zumpatas'), []);
    const { token } = await signedIn(author);
    assert.equal((await own(token))[1]?.appeal?.state, 'granted');
  });

  test('keeps nothing of an erased person who reported or appealed, and their reports still count', async () => {
    const eva = await makeStaff(forum());
    const author = await forum().person('Autora');
    const zoe = await forum().person('Zoe Trantova');
    const { _id } = await forum().channel(author);
    await report({ kind: 'channel', id: _id }, 'Soy Zoe Trantova', zoe.token);
    const subject = { kind: 'user', id: zoe.id } as const;
    // A decision about others, too, keeps its reason.
    const raid = await decided(forum(), eva, {
      subject: { kind: 'users', ids: [zoe.id, (await forum().person()).id] },
      action: 'hideAll',
      reason: 'Son la misma',
    });
    await undone(forum(), eva, raid);
    const silence = { action: 'silence', days: 300, reason: 'Zoe Trantova insulta' };
    const { id } = await decided(forum(), eva, { subject, ...silence });
    await forum().json('POST', apiRoutes.appeal(id), {
      token: zoe.token,
      body: { text: 'Yo, Zoe Trantova, no' },
    });
    const [reported] = await exported(zoe, 'denuncias.jsonl');
    assert.equal(reported?.text, 'Soy Zoe Trantova');
    const [about] = await exported(zoe, 'denunciado.jsonl');
    assert.deepEqual([about?.id, about?.subjectId], [reported?.caseId, _id]);
    const { db } = forum().services;
    assert.equal((await readOwnReports(db, zoe.id)).length, 1);
    await askForDeletion(forum(), zoe, 'anonymous');
    await eraseAccounts();
    assert.deepEqual(await findText(forum(), 'Trantova'), []);
    assert.deepEqual(await readOwnReports(db, zoe.id), []);
    assert.equal((await readDecisions(db, [raid.id])).get(raid.id)?.reason, 'Son la misma');
    const moderator = await signedIn(eva);
    const { reports } = await queued(moderator, (item) => item.subject.id === _id);
    assert.deepEqual(
      [reports.count, reports.texts.map(({ text, from }) => [text, from])],
      [1, [['', '']]],
    );
    const rows = await findText(forum(), zoe.id);
    assert.deepEqual(
      rows.filter((row) => !/^(accounts|audit_log|decisions|decision_accounts) /.test(row)),
      [],
    );
  });

  test('keeps the reported content of an erased account until 30 days after the decision', async () => {
    const eva = await makeStaff(forum());
    const author = await forum().person('Autora');
    const { _id } = await forum().channel(await forum().person());
    await forum().comment(author, _id, 'Vrontales');
    const subject = { kind: 'comment', id: `${_id}-1` } as const;
    await report(subject, '');
    await askForDeletion(forum(), author, 'erase');
    await eraseAccounts();
    const moderator = await signedIn(eva);
    const item = await queued(moderator, (item) => item.subject.id === subject.id);
    assert.deepEqual([item.text, item.textNow, item.state], ['Vrontales', null, 'erased']);
    assert.match(item.version, /\.0$/);
    const { version } = item;
    await decided(forum(), { ...eva, ...moderator }, { subject, version, action: 'dismiss' });
    assert.equal((await findText(forum(), 'Vrontales')).length, 1);
    wait(30 * dayMs + 1);
    await eraseExpired(forum().services);
    assert.deepEqual(await findText(forum(), 'Vrontales'), []);
  });

  test('keeps the decisions of an erased moderator with their reasons, without the name', async () => {
    const eva = await makeStaff(forum());
    const { _id } = await forum().channel(await forum().person());
    const subject = { kind: 'channel', id: _id } as const;
    const { id } = await decided(forum(), eva, { subject, action: 'hide', reason: 'No' });
    await undone(forum(), eva, { id });
    await askForDeletion(forum(), eva, 'anonymous');
    await eraseAccounts();
    const { db } = forum().services;
    const rows = await db
      .selectFrom('decisions')
      .select(['decided_by', 'reason'])
      .where((eb) => eb.or([eb('id', '=', id), eb('undoes', '=', id)]))
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map(({ decided_by, reason }) => [decided_by, reason]),
      [
        [eva.id, 'No'],
        [eva.id, 'Me equivoqué.'],
      ],
    );
    assert.equal((await readDecisions(db, [id])).get(id)?.decidedBy, erasedName);
    const account = await db
      .selectFrom('accounts')
      .select('role')
      .where('id', '=', eva.id)
      .executeTakeFirst();
    assert.equal(account?.role, 'member');
  });

  test('erases the reason of a decision about several accounts with the last of them', async () => {
    const eva = await makeStaff(forum());
    const people = [await forum().person(), await forum().person()];
    const subject = { kind: 'users' as const, ids: people.map(({ id }) => id) };
    for (const person of people) await askForDeletion(forum(), person, 'anonymous');
    await decided(forum(), eva, { subject, action: 'hideAll', reason: 'Wambrunio y otra' });
    assert.equal((await findText(forum(), 'Wambrunio')).length, 1);
    await eraseAccounts();
    assert.deepEqual(await findText(forum(), 'Wambrunio'), []);
  });

  test('decisions on an account can be undone after it is erased without its texts', async () => {
    const eva = await staff(forum());
    const author = await forum().person();
    const { _id } = await forum().channel(await forum().person());
    for (const text of ['uno', 'dos']) await forum().comment(author, _id, text);
    const hidden = await decided(forum(), eva, { subject: comment(_id, 1), action: 'hide' });
    const body = { text: 'Zurriburri' };
    await forum().json('POST', apiRoutes.appeal(hidden.id), { token: author.token, body });
    const raid = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    await askForDeletion(forum(), author, 'anonymous');
    await eraseAccounts();
    assert.deepEqual(await findText(forum(), 'Zurriburri'), []);
    const texts = async () => (await forum().allComments(_id)).map(({ comment }) => comment);
    const again = await staff(forum());
    await undone(forum(), again, hidden);
    assert.deepEqual(await texts(), [], 'the account is hidden');
    await undone(forum(), again, raid);
    assert.deepEqual(await texts(), ['uno', 'dos']);
  });
});
