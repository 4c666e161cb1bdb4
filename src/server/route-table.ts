import type { FastifyInstance, onSendHookHandler } from 'fastify';
import {
  type Callers,
  createGuard,
  type Gate,
  type SessionServices,
} from './accounts/sessions/session-guard.ts';
import { parseJson } from './http/json.ts';
import { type Budget, countRequests, type LimiterServices } from './http/limits/budgets.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A build file, which anyone may request without a limit. */
    isUnlisted?: true;
  }
}

/**
 * The callers admitted by each route, and the budget that its valid requests count towards. A route without data that
 * members wrote may say `always everyone`; `everyone` means members only where the community's settings say so.
 * `uncounted` is for routes
 * that cost little more than a refusal or have another limit. HEAD follows GET unless it has its own line. Build files
 * and preflights are public and not listed.
 */
export const routeTable: Record<string, [Callers, Budget | 'uncounted']> = {
  'POST /api/auth/sign-up': ['always everyone', 'signUp'],
  'POST /api/auth/sign-in': ['always everyone', 'signIn'],
  'POST /api/auth/sign-out': ['signed in', 'sessions'],
  'POST /api/auth/password': ['always everyone', 'signIn'],
  'POST /api/auth/recover': ['always everyone', 'recover'],
  'POST /api/auth/resume': ['always everyone', 'sessions'],
  'DELETE /api/auth/resume': ['always everyone', 'sessions'],
  'OPTIONS /api/auth/resume': ['always everyone', 'uncounted'],
  'POST /api/auth/invitation': ['always everyone', 'sessions'],
  'POST /api/auth/passkey/options': ['always everyone', 'sessions'],
  'POST /api/auth/passkey': ['always everyone', 'signIn'],

  'GET /api/user/me': ['signed in', 'personal'],
  'PATCH /api/user/me': ['signed in', 'account'],
  'DELETE /api/user/me': ['signed in', 'account'],
  'POST /api/user/me/restore': ['signed in', 'sessions'],
  'PUT /api/user/update-img': ['writers', 'change'],
  'GET /api/user/export': ['signed in', 'account'],
  'GET /api/user/sessions': ['signed in', 'personal'],
  'DELETE /api/user/sessions': ['signed in', 'sessions'],
  'DELETE /api/user/sessions/:id': ['signed in', 'sessions'],
  'GET /api/user/recovery-codes': ['readers', 'personal'],
  'POST /api/user/recovery-codes': ['readers', 'account'],
  'POST /api/user/recovery-codes/reminder': ['readers', 'personal'],
  'GET /api/user/passkeys': ['readers', 'personal'],
  'POST /api/user/passkeys': ['readers', 'account'],
  'POST /api/user/passkeys/options': ['readers', 'account'],
  'DELETE /api/user/passkeys/:id': ['readers', 'sessions'],
  'GET /api/user/reports': ['signed in', 'personal'],
  'GET /api/user/decisions': ['signed in', 'personal'],
  'POST /api/user/decisions/:id/appeal': ['signed in', 'change'],
  'GET /api/user/pending': ['readers', 'personal'],
  'DELETE /api/user/pending/:id': ['readers', 'change'],
  'GET /api/user/claims': ['readers', 'personal'],
  'POST /api/user/claims': ['writers', 'change'],
  'DELETE /api/user/claims/:id': ['readers', 'change'],
  'GET /api/user/trash': ['readers', 'personal'],
  'GET /api/user/news': ['signed in', 'personal'],
  'GET /api/user/notifications': ['readers', 'personal'],
  'PUT /api/user/notifications/seen': ['signed in', 'personal'],
  'GET /api/user/notification-settings': ['signed in', 'personal'],
  'PATCH /api/user/notification-settings': ['signed in', 'change'],
  'POST /api/user/push': ['readers', 'change'],
  'DELETE /api/user/push': ['signed in', 'change'],
  'POST /api/user/email/confirmation': ['signed in', 'change'],
  'POST /api/user/email/confirm': ['always everyone', 'recover'],
  'PUT /api/user/reads': ['readers', 'personal'],
  'GET /api/invitations': ['readers', 'personal'],
  'POST /api/invitations': ['writers', 'invite'],
  'DELETE /api/invitations/:id': ['readers', 'change'],

  'GET /api/channels': ['everyone', 'read'],
  'POST /api/channels': ['writers', 'createChannel'],
  'GET /api/channels/:id': ['everyone', 'read'],
  'PATCH /api/channels/:id': ['writers', 'change'],
  'DELETE /api/channels/:id': ['readers', 'change'],
  'POST /api/channels/:id/restore': ['writers', 'change'],
  'POST /api/channels/:id/close': ['writers', 'change'],
  'POST /api/channels/:id/reopen': ['writers', 'change'],
  'GET /api/channels/:id/live': ['everyone', 'uncounted'],
  'PUT /api/channels/:id/level': ['readers', 'personal'],
  'GET /api/channels/:id/mine': ['readers', 'personal'],
  'GET /api/channels/:id/comments': ['everyone', 'read'],
  'PUT /api/channels/comment': ['writers', 'comment'],
  'PATCH /api/channels/:id/comments/:number': ['writers', 'change'],
  'DELETE /api/channels/:id/comments/:number': ['readers', 'change'],
  'POST /api/channels/:id/comments/:number/restore': ['writers', 'change'],
  'GET /api/channels/:id/comments/:number/replies': ['everyone', 'read'],
  'GET /api/channels/:id/comments/:number/thanks': ['everyone', 'read'],
  'PUT /api/channels/:id/comments/:number/thanks': ['writers', 'change'],
  'DELETE /api/channels/:id/comments/:number/thanks': ['readers', 'change'],
  'GET /api/channels/:id/comments/:number/versions': ['staff', 'personal'],
  'PATCH /api/channels/:id/comments/:number/event': ['writers', 'change'],
  'PUT /api/channels/:id/comments/:number/rsvp': ['readers', 'change'],
  'GET /api/channels/:id/comments/:number/rsvps': ['readers', 'personal'],
  'GET /api/calendar': ['everyone', 'read'],
  'GET /api/documents': ['everyone', 'read'],
  'PUT /api/channels/:id/comments/:number/acknowledgement': ['readers', 'change'],
  'GET /api/channels/:id/comments/:number/acknowledgements': ['staff', 'personal'],
  'POST /api/channels/:id/comments/:number/reminder': ['staff', 'moderate'],
  'GET /api/moderation/reach': ['staff', 'personal'],
  'GET /api/user/rsvps': ['readers', 'personal'],
  'GET /api/user/calendar': ['readers', 'personal'],
  'POST /api/user/calendar': ['readers', 'change'],
  'GET /api/channels/:id/comments/:number/event.ics': ['everyone', 'read'],

  'GET /api/users': ['readers', 'personal'],
  // Moderators also see people hidden from visitors.
  'GET /api/users/:id': ['everyone', 'read'],
  'GET /api/users/:id/channels': ['everyone', 'read'],
  'GET /api/users/:id/comments': ['everyone', 'read'],
  'PUT /api/users/:id/role': ['admins', 'moderate'],
  'POST /api/users/:id/password-link': ['admins', 'moderate'],
  'GET /api/search': ['everyone', 'search'],
  'GET /api/rules': ['always everyone', 'read'],
  'GET /api/log': ['everyone', 'read'],
  'POST /api/reports': ['guests and readers', 'report'],
  'GET /api/reports/:receipt': ['always everyone', 'read'],
  'GET /api/moderation/queue': ['staff', 'personal'],
  'GET /api/moderation/members': ['staff', 'personal'],
  'GET /api/moderation/mailed-invitations': ['staff', 'personal'],
  'POST /api/moderation/mailed-invitations': ['staff', 'moderate'],
  'POST /api/moderation/mailed-invitations/:id/again': ['staff', 'moderate'],
  'GET /api/moderation/summary': ['staff', 'personal'],
  'POST /api/moderation/decisions': ['staff', 'moderate'],
  'GET /api/moderation/decisions/:id': ['staff', 'personal'],
  'POST /api/moderation/decisions/:id/undo': ['staff', 'moderate'],
  'GET /api/moderation/import': ['admins', 'personal'],
  'POST /api/moderation/import': ['admins', 'moderate'],
  'DELETE /api/moderation/import': ['admins', 'moderate'],
  'GET /api/moderation/import/:id/people': ['staff', 'personal'],
  'POST /api/moderation/import/:id/people/:person/link': ['staff', 'moderate'],
  'DELETE /api/moderation/import/:id/people/:person/claim': ['admins', 'moderate'],
  'DELETE /api/moderation/import/:id': ['admins', 'moderate'],
  'GET /api/moderation/settings': ['staff', 'personal'],
  'PATCH /api/moderation/settings': ['admins', 'moderate'],

  'POST /api/uploads': ['writers', 'upload'],
  'HEAD /api/uploads/:id': ['writers', 'personal'],
  'PATCH /api/uploads/:id': ['writers', 'personal'],
  'DELETE /api/uploads/:id': ['writers', 'personal'],
  'GET /api/files/images/:name': ['everyone', 'read'],
  'GET /api/files/files/:id/:name': ['everyone', 'read'],
  'GET /files/images/:name': ['everyone', 'uncounted'],
  'GET /files/files/:id/:name': ['everyone', 'uncounted'],
  'GET /files/images/:name/:variant': ['everyone', 'uncounted'],
  'GET /azulejo/:seed.svg': ['always everyone', 'uncounted'],
  'GET /azulejo/:seed.png': ['always everyone', 'draw'],
  'GET /azulejo/:seed.jpg': ['always everyone', 'draw'],
  'GET /manifest.webmanifest': ['always everyone', 'uncounted'],
  'GET /favicon.ico': ['always everyone', 'uncounted'],
  'GET /apple-touch-icon.png': ['always everyone', 'uncounted'],
  'GET /icon-192.png': ['always everyone', 'uncounted'],
  'GET /icon-512.png': ['always everyone', 'uncounted'],

  'GET /': ['everyone', 'read'],
  'GET /channel/:id': ['everyone', 'read'],
  'GET /user/:id': ['everyone', 'read'],
  'GET /search': ['everyone', 'search'],
  'GET /calendar': ['everyone', 'read'],
  'GET /documents': ['everyone', 'read'],
  'GET /poster': ['everyone', 'read'],
  'GET /rules': ['always everyone', 'read'],
  'GET /log': ['everyone', 'read'],
  'GET /login': ['always everyone', 'read'],
  'GET /register': ['always everyone', 'read'],
  'GET /recover': ['always everyone', 'read'],
  'GET /password': ['always everyone', 'read'],
  'GET /confirm': ['always everyone', 'read'],
  'GET /create': ['always everyone', 'read'],
  'GET /profile': ['always everyone', 'read'],
  'GET /notifications': ['always everyone', 'read'],
  'GET /settings': ['always everyone', 'read'],
  'GET /moderation': ['always everyone', 'read'],
  'GET /moderation/members': ['always everyone', 'read'],
  'GET /moderation/summary': ['always everyone', 'read'],
  'GET /moderation/import': ['always everyone', 'read'],
  'GET /moderation/settings': ['always everyone', 'read'],

  'GET /robots.txt': ['always everyone', 'uncounted'],
  'GET /feeds/channels.atom': ['everyone', 'read'],
  'GET /feeds/:id.atom': ['everyone', 'read'],
  'GET /sitemap.xml': ['everyone', 'read'],

  'GET /unsubscribe/:token': ['always everyone', 'read'],
  'POST /unsubscribe/:token': ['always everyone', 'read'],
  'GET /rsvp/:token': ['always everyone', 'read'],
  'POST /rsvp/:token': ['always everyone', 'read'],
  'GET /withdraw/:token': ['always everyone', 'read'],
  'POST /withdraw/:token': ['always everyone', 'read'],
  'GET /calendar/:secret.ics': ['always everyone', 'calendar'],

  'GET /api/openapi.json': ['always everyone', 'read'],
  'GET /api/docs': ['always everyone', 'read'],
  'GET /api/docs/*': ['always everyone', 'read'],
  'GET /healthz': ['always everyone', 'uncounted'],
  'GET /readyz': ['always everyone', 'uncounted'],
};

/** How long the browser of a member may show an image without asking. */
const memberImageCaching = 'private, max-age=3600';

/** In a community of members, no shared cache keeps an answer, and no other site shows its images. */
const keepFromOthers: onSendHookHandler = (request, reply, payload, done) => {
  if (request.reader !== null) {
    const isImage = request.routeOptions.config.moves === 'file';
    const isPublic = String(reply.getHeader('cache-control')).startsWith('public');
    const caching = isImage && isPublic ? memberImageCaching : 'private, no-store';
    reply.headers({ 'cache-control': caching, 'cross-origin-resource-policy': 'same-origin' });
  }
  done(null, payload);
};

/**
 * Gives every route registered afterwards its guard, which runs before the body is parsed, and before the bytes of an
 * upload are read, and its budget, which counts requests with valid parameters and body. The server does not start if a route is missing from the table or a line of
 * the table names no route.
 * @param gate admits readers, on routes for everyone
 */
export function applyRouteTable(
  app: FastifyInstance,
  services: SessionServices & LimiterServices,
  gate: Gate,
  table = routeTable,
): void {
  const counterOf = countRequests(app, services);
  const unused = new Set(Object.keys(table));
  app.addHook('onRoute', (route) => {
    const { config, method, url, schema } = route;
    if (config?.isUnlisted) return;
    const name = method === 'HEAD' && !table[`HEAD ${url}`] ? `GET ${url}` : `${method} ${url}`;
    const entry = table[name];
    if (!entry) throw new Error(`route-table.ts has no line for ${name}`);
    unused.delete(name);
    const [callers, budget] = entry;
    route.preValidation = parseJson;
    if (callers === 'everyone') {
      route.onRequest = [gate, ...[route.onRequest ?? []].flat()];
      route.onSend = [keepFromOthers, ...[route.onSend ?? []].flat()];
    } else if (callers !== 'always everyone') {
      route.preValidation = [createGuard(services, callers), parseJson];
    }
    if (callers !== 'always everyone') {
      const isForGuests = callers === 'everyone' || callers === 'guests and readers';
      route.schema = { security: [...(isForGuests ? [{}] : []), { bearer: [] }], ...schema };
    }
    if (budget !== 'uncounted') route.preHandler = counterOf(budget);
  });
  app.addHook('onReady', async () => {
    if (unused.size > 0)
      throw new Error(`route-table.ts names no route: ${[...unused].join(', ')}`);
  });
}
