import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { Decision, Queue, Subject } from '../../src/shared/moderation.ts';
import type { PendingPost } from '../../src/shared/pending.ts';
import { changeSettings, reviewFirstPosts } from './change-settings.ts';
import type { Forum, Person } from './forum.ts';
import { decide, decided, staff } from './moderators.ts';

/** Posts in a channel while first posts are reviewed, and their reviews. */
export class ReviewedForum {
  readonly host: Person;
  readonly moderator: Person;
  /** The host's, with two comments. */
  readonly channel: Channel;
  readonly #forum: Forum;

  private constructor(forum: Forum, host: Person, moderator: Person, channel: Channel) {
    this.#forum = forum;
    this.host = host;
    this.moderator = moderator;
    this.channel = channel;
  }

  static async start(forum: Forum): Promise<ReviewedForum> {
    const host = await forum.person('Ana');
    const moderator = await staff(forum);
    const channel = await forum.channel(host);
    await forum.comment(host, channel._id, 'Bienvenidas');
    await forum.comment(host, channel._id, 'Presentaos aquí');
    await reviewFirstPosts(forum);
    return new ReviewedForum(forum, host, moderator, channel);
  }

  put({ token }: Person, comment: string, more: object = {}, key: string = randomUUID()) {
    const headers = { 'idempotency-key': key };
    const body = { id: this.channel._id, comment, ...more };
    return this.#forum.call('PUT', apiRoutes.comment, { token, headers, body });
  }

  /** Sends a comment that becomes pending. */
  async post(person: Person, comment = 'Hola', more: object = {}, key?: string) {
    const response = await this.put(person, comment, more, key);
    const body = await response.text();
    assert.equal(response.status, 202, body);
    return JSON.parse(body) as PendingPost;
  }

  postChannel({ token }: Person): Promise<PendingPost> {
    const body = { name: 'Bancal', description: 'Acelgas', cover: '/default-avatar.svg' };
    return this.#forum.json('POST', apiRoutes.channels, { token, body });
  }

  approve({ kind, id }: PendingPost, by = this.moderator, more: object = {}) {
    return decide(this.#forum, by, {
      subject: { kind, id },
      action: 'approve',
      reason: '',
      ...more,
    });
  }

  approved({ kind, id }: PendingPost): Promise<Decision> {
    const draft = { subject: { kind, id } as Subject, action: 'approve', reason: '' };
    return decided(this.#forum, this.moderator, draft);
  }

  reject({ kind, id }: PendingPost): Promise<Decision> {
    return decided(this.#forum, this.moderator, { subject: { kind, id }, action: 'reject' });
  }

  /** One page of what waits, as the moderator reads it. */
  pending(after = ''): Promise<Queue> {
    const url = `${apiRoutes.queue}?state=pending${after}`;
    return this.#forum.json('GET', url, this.moderator);
  }

  /** Lets a person do something without a review. */
  async unreviewed<T>(act: () => Promise<T>): Promise<T> {
    await changeSettings(this.#forum, {});
    const done = await act();
    await reviewFirstPosts(this.#forum);
    return done;
  }
}
