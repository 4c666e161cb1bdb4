import type { FastifyRequest } from 'fastify';
import type { AuditServices } from '../database/audit-log.ts';
import type { Database } from '../database/tables.ts';
import { callerOf } from './sessions/session-guard.ts';

/** The moderator or operator who acts, with the services required. */
export interface Actor extends AuditServices {
  db: Database;
  /** Account of a moderator; undefined for the operator. */
  callerId?: string;
  /** For the logs: the moderator's account id, or the operator's user name on their system. */
  actorName: string;
  note: string;
}

/** A moderator, who decides about content and people. */
export interface Moderator extends Actor {
  callerId: string;
}

/**
 * The moderator who sent a request, on a route for moderators. The note is empty, since the decision states the reason.
 */
export function actorOf<Services extends Pick<Actor, 'db' | 'withTransaction' | 'now'>>(
  services: Services,
  request: FastifyRequest,
): Services & Moderator {
  const { id } = callerOf(request);
  return { ...services, actorName: id, callerId: id, note: '' };
}
