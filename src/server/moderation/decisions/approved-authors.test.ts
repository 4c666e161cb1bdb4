import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, undone } from '../../../../test/forum/moderators.ts';
import { ReviewedForum } from '../../../../test/forum/reviewed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Subject } from '../../../shared/moderation.ts';

onEngine('sqlite', 'an author whose posts are reviewed', (forum) => {
  let reviewed: ReviewedForum;
  before(async () => {
    reviewed = await ReviewedForum.start(forum());
  });

  test('an account that visitors are not shown, and its pending posts, can have only images of this site', async () => {
    const elsewhere = 'https://tracker.example/a.png';
    const eva = await forum().person('Eva');
    const setImage = (img: string, { id, token } = eva) =>
      forum().call('PUT', apiRoutes.updateImage, { token, body: { id, img } });
    const putChannel = (cover: string) => {
      const body = { name: 'Bancal', description: 'Acelgas', cover };
      return forum().call('POST', apiRoutes.channels, { token: eva.token, body });
    };
    const refused = async (response: Response, field: string) => {
      const { errors } = await expectProblem(response, 400, 'invalid_fields');
      assert.deepEqual(
        errors?.map((error) => error.field),
        [field],
      );
    };
    await refused(await setImage(elsewhere), 'img');
    await refused(await putChannel(elsewhere), 'cover');
    const signUp = { name: 'Nueva', email: 'nueva@example.com', password: 'x', img: elsewhere };
    await refused(await forum().call('POST', apiRoutes.signUp, { body: signUp }), 'img');
    await reviewed.approved(await reviewed.postChannel(eva));
    assert.equal((await setImage(elsewhere)).status, 200);
    // The account's second channel in a day waits for review, although visitors can see the account.
    await refused(await putChannel(elsewhere), 'cover');
    assert.equal((await putChannel('/default-avatar.svg')).status, 202);
  });

  test('an account is named after a rejection while something that it published is shown', async () => {
    const eva = await forum().person();
    const { id } = await reviewed.unreviewed(() =>
      forum().comment(eva, reviewed.channel._id, 'Uno'),
    );
    const isNamed = async () => (await forum().call('GET', apiRoutes.user(eva.id))).status === 200;
    // Three links are a signal.
    const links = [1, 2, 3].map((page) => `https://ejemplo.es/${page}`).join(' ');
    await reviewed.reject(await reviewed.post(eva, links));
    assert.equal(await isNamed(), true);
    const subject = { kind: 'comment', id } as const;
    const hidden = await decided(forum(), reviewed.moderator, { subject, action: 'hide' });
    assert.equal(await isNamed(), false);
    await reviewed.reject(await reviewed.post(eva));
    await undone(forum(), reviewed.moderator, hidden);
    assert.equal(await isNamed(), true);
    assert.equal((await reviewed.put(eva, 'Otra vez')).status, 200);
  });

  test('an author waits again once its channel is hidden with its only comments, and not for those of others or that it deleted', async () => {
    await changeSettings(forum(), {});
    const [eva, ana, ida] = [
      await forum().person(),
      await forum().person(),
      await forum().person(),
    ];
    const { _id } = await forum().channel(eva);
    await forum().comment(eva, _id, 'En lo mío');
    const inHidden = await forum().comment(ida, _id, 'Uno');
    const deleted = await forum().comment(ana, reviewed.channel._id, 'Uno');
    const shown = await forum().comment(ana, reviewed.channel._id, 'Dos');
    await reviewFirstPosts(forum());
    const hideIt = (subject: Subject) =>
      decided(forum(), reviewed.moderator, { subject, action: 'hide' });
    const decisions = [
      await hideIt({ kind: 'comment', id: inHidden.id }),
      await hideIt({ kind: 'channel', id: _id }),
    ];
    await reviewed.post(eva);
    await reviewed.post(ida);
    await undone(forum(), reviewed.moderator, decisions[0] ?? assert.fail());
    assert.equal((await reviewed.put(ida, 'El canal no es mío')).status, 200);
    await undone(forum(), reviewed.moderator, decisions[1] ?? assert.fail());
    assert.equal((await reviewed.put(eva, 'Otra vez')).status, 200);
    const deleting = apiRoutes.channelComment(reviewed.channel._id, deleted.number);
    await forum().json('DELETE', deleting, { token: ana.token });
    await hideIt({ kind: 'comment', id: shown.id });
    assert.equal((await reviewed.put(ana, 'Sigo')).status, 200);
  });

  test('nobody mentions or reports an account of which no moderator has seen anything', async () => {
    const eva = await forum().person('Eva');
    await changeSettings(forum(), {});
    const rut = await forum().person('Rut');
    const { _id: id } = await forum().channel(reviewed.host);
    await forum().comment(rut, id, 'Uno');
    const at = ({ id: accountId }: Person) => ({ mentions: [{ start: 0, length: 4, accountId }] });
    const before = await forum().comment(reviewed.host, id, '@Eva, hola', at(eva));
    await reviewFirstPosts(forum());
    const edit = (comment: string, person: Person, revision: number) =>
      forum().call('PATCH', apiRoutes.channelComment(id, before.number), {
        token: reviewed.host.token,
        headers: { 'if-match': `"${revision}"` },
        body: { comment, ...at(person) },
      });
    const mention = async (author: Person) => reviewed.put(author, '@Eva, ven', { id, ...at(eva) });
    for (const author of [reviewed.host, await forum().person()])
      await expectProblem(await mention(author), 400, 'invalid_fields');
    assert.equal((await edit('@Eva, otra vez', eva, 1)).status, 200, 'it was mentioned before');
    assert.equal((await edit('@Rut, hola', rut, 2)).status, 200, 'it wrote before');
    await expectProblem(await edit('@Eva, hola', eva, 3), 400, 'invalid_fields');
    const body = { kind: 'user', id: eva.id, reason: 'spam' };
    const report = await forum().call('POST', apiRoutes.reports, { body });
    await expectProblem(report, 404, 'user_not_found');
    await reviewed.approved(await reviewed.post(eva));
    assert.equal((await mention(reviewed.host)).status, 200);
  });
});
