import { LRUCache } from 'lru-cache';
import { ListenClient } from '../../database/postgres/listen-client.ts';
import { notifyTopic } from '../../database/postgres/notify.ts';
import type { PublicChange } from '../../database/public-change.ts';
import type { Database } from '../../database/tables.ts';
import { LiveBus } from './live-bus.ts';

/** The `application_name` of a server's listening connection, by which a restore detects servers. */
export const listenerName = 'tertulia live';

const topic = 'tertulia_changes';
/** Exceeds the changes that one process publishes before its first notification arrives. */
const maxPublished = 1000;

/** Notifies all listening processes when the transaction commits. */
export async function notifyProcesses(trx: Database, change: PublicChange): Promise<void> {
  await notifyTopic(trx, topic, toPayload(change));
}

/**
 * The bus between processes on one PostgreSQL. The writing transaction sends a notification, which
 * arrives if and only if it commits, in the order of commits. A dedicated connection listens; each
 * time it starts to listen, subscribers receive `gap` and read what they may have missed.
 *
 * A process also receives its own notifications: when the response to a COMMIT is lost, only the
 * notification shows that the transaction committed.
 */
export class PostgresLiveBus extends LiveBus {
  override isListening = false;
  /** Comments published by this process whose notification has not arrived yet. */
  readonly #published = new LRUCache<string, true>({ max: maxPublished });
  readonly #connection: ListenClient;
  /** Message of the last reported problem. */
  #knownProblem = '';

  /** Listens until `close`. @param db the pool that notifications are sent through */
  constructor(connectionString: string, db: Database) {
    super();
    this.#connection = new ListenClient(connectionString, {
      name: listenerName,
      topic,
      notify: (...notification) => notifyTopic(db, ...notification),
      onListening: () => {
        this.isListening = true;
        this.#knownProblem = '';
        this.publishGap();
      },
      onNotification: (payload) => this.#receive(payload),
      onLost: () => {
        this.isListening = false;
      },
      onProblem: (problem) => {
        if (!this.onProblem || problem.message === this.#knownProblem) return;
        this.#knownProblem = problem.message;
        this.onProblem(problem);
      },
    });
  }

  override async ready(): Promise<void> {
    await this.#connection.ready();
  }

  override announce(trx: Database, change: PublicChange): Promise<void> {
    return notifyProcesses(trx, change);
  }

  override publish(change: PublicChange): void {
    // Their payloads are unique; an equal payload of another kind may be a new change.
    if (change.kind === 'comment') this.#published.set(toPayload(change), true);
    super.publish(change);
  }

  override close(): Promise<void> {
    return this.#connection.close();
  }

  /** Must not throw: any client of the database can send notifications. */
  #receive(payload: string): void {
    if (this.#published.delete(payload)) return;
    const change = parsePayload(payload);
    if (change) super.publish(change);
  }
}

/** Excludes a comment's text, because a notification is limited to 8,000 bytes. */
function toPayload(change: PublicChange): string {
  switch (change.kind) {
    case 'comment':
      return `comment ${change.channelId} ${change.number}`;
    case 'channel':
      return `channel ${change.channelId} ${change.numbers?.join() ?? ''}`;
    case 'thanks':
      return `thanks ${change.channelId}`;
    case 'profile':
      return `profile ${change.accountId}`;
  }
}

function parsePayload(payload: string): PublicChange | undefined {
  const [kind, id, detail] = payload.split(' ');
  if (id === undefined) return undefined;
  if (kind === 'comment') return { kind, channelId: id, number: Number(detail) };
  if (kind === 'channel') {
    const numbers = detail ? { numbers: detail.split(',').map(Number) } : {};
    return { kind, channelId: id, ...numbers };
  }
  if (kind === 'thanks') return { kind, channelId: id };
  if (kind === 'profile') return { kind, accountId: id };
  return undefined;
}
