import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyHttpOptions, LogController } from 'fastify';
import { invitationRoutes } from './accounts/invitations/invitation-routes.ts';
import { mailedInvitationRoutes } from './accounts/invitations/mailed-invitation-routes.ts';
import { passkeyRoutes } from './accounts/passkeys/passkey-routes.ts';
import { createPasswordTries } from './accounts/passwords/password-tries.ts';
import { recoveryRoutes } from './accounts/recovery/recovery-routes.ts';
import { createReadingGate } from './accounts/sessions/reading-gate.ts';
import { resumeRoutes } from './accounts/sessions/resume-routes.ts';
import { sessionRoutes } from './accounts/sessions/session-routes.ts';
import { deviceCookieName } from './accounts/sessions/site-cookies.ts';
import { signInRoutes } from './accounts/sign-in/sign-in-routes.ts';
import { handleError } from './error-handler.ts';
import { announcementRoutes } from './forum/announcements/announcement-routes.ts';
import { channelRoutes } from './forum/channels/channel-routes.ts';
import { commentRoutes } from './forum/comments/comment-routes.ts';
import { eventRoutes } from './forum/events/event-routes.ts';
import { documentRoutes } from './forum/files/document-routes.ts';
import { liveRoutes } from './forum/live/live-routes.ts';
import { pendingRoutes } from './forum/pending/pending-routes.ts';
import { personRoutes } from './forum/people/person-routes.ts';
import { pollRoutes } from './forum/polls/poll-routes.ts';
import { readingRoutes } from './forum/reading/reading-routes.ts';
import { addApiDocs } from './http/api-docs/api-docs.ts';
import type { App } from './http/app-type.ts';
import { respondToBadRequest } from './http/bad-requests.ts';
import { handleEveryRequest } from './http/every-request.ts';
import { gracefulShutdown } from './http/graceful-shutdown.ts';
import { healthRoutes } from './http/health-routes.ts';
import { acceptJson, lazySerializers, lazyValidators } from './http/json.ts';
import { limitAnswersAtOnce } from './http/limits/concurrency.ts';
import { connectionTimeouts, limitConnections } from './http/limits/connections.ts';
import { refuseWhenOverloaded } from './http/limits/overload.ts';
import { type RequestMetrics, recordRequests } from './http/request-metrics.ts';
import { securityHeaders } from './http/security-headers.ts';
import { serveStaticFiles } from './http/static-files.ts';
import { unknownRouteHandler } from './http/unknown-routes.ts';
import { fileRoutes } from './images/file-routes.ts';
import { uploadRoutes } from './images/uploads/upload-routes.ts';
import { countWaiting } from './mail/queue-mail.ts';
import { moderationRoutes } from './moderation/moderation-routes.ts';
import { claimRoutes } from './moving-in/claims/claim-routes.ts';
import { movingInRoutes } from './moving-in/moving-in-routes.ts';
import { newsRoutes } from './notifications/news-routes.ts';
import { notificationSettingsRoutes } from './notifications/settings-routes.ts';
import { azulejoRoutes } from './pages/azulejo/azulejo-routes.ts';
import { calendarFileRoutes } from './pages/calendar-file-routes.ts';
import { installRoutes } from './pages/install-routes.ts';
import { guestRefuser } from './pages/members-only.ts';
import { notFoundSender, pageRoutesOf } from './pages/page-routes.ts';
import { posterRoutes } from './pages/poster/poster-routes.ts';
import { pageResponder } from './pages/render-page.ts';
import { rsvpRoutes } from './pages/rsvp-routes.ts';
import { crawlerRoutes } from './pages/syndication/crawler-routes.ts';
import { feedRoutes } from './pages/syndication/feed-routes.ts';
import { unsubscribeRoutes } from './pages/unsubscribe-routes.ts';
import { withdrawRoutes } from './pages/withdraw-routes.ts';
import { deletionRoutes } from './privacy/deletion/deletion-routes.ts';
import { exportRoutes } from './privacy/export/export-routes.ts';
import { confirmRoutes } from './profile/confirm-routes.ts';
import { settingsRoutes } from './profile/settings-routes.ts';
import { pushRoutes } from './push/push-routes.ts';
import { applyRouteTable } from './route-table.ts';
import { searchRoutes } from './search/search-routes.ts';
import { openSearch } from './search/search-service.ts';
import type { AppServices } from './services.ts';
import { siteSettingsRoutes } from './site-settings/site-settings-routes.ts';

/** Enough for a comment of 10,000 characters, each escaped as a surrogate pair. */
const bodyLimitBytes = 256 * 1024;

/**
 * Replaces three kinds of request targets with an unknown path: one that names a host, because the router would ignore
 * the host and pages would repeat it; one with NUL, which PostgreSQL cannot store in text; and one that cannot be
 * decoded, because Fastify would run no hook for it.
 */
function toRoutable(target: string): string {
  if (!target.startsWith('/')) return toRoutable(`/${target}`);
  if (target.includes('%00')) {
    return `${target.split('?', 1)[0]?.replaceAll('%', '%25')}%2500`;
  }
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '');
    return target;
  } catch {
    return target.replaceAll('%', '%25');
  }
}

/** Metrics that requests update, and metrics that query the app (operation/metrics/metrics.ts). */
interface AppMetrics extends RequestMetrics {
  liveReaders: { inc(): void; dec(): void };
  uploads: { inc(labels: { outcome: string }): void };
  watchBackups(readLast: () => Promise<{ madeAt: string } | null>): void;
  watchMails(countWaiting: () => Promise<{ count: number }>): void;
}

export interface AppOptions {
  logger?: NonNullable<FastifyHttpOptions<Server>['logger']>;
  /** The closing server accepts requests until this resolves. */
  lameDuck?: (() => Promise<void>) | undefined;
  /** Undefined when metrics are off. */
  metrics?: AppMetrics | undefined;
}

/** Wires the whole server. It does not listen yet and reads no environment. */
export async function buildApp(
  services: AppServices,
  { logger = false, lameDuck, metrics }: AppOptions = {},
): Promise<App> {
  const { config } = services;
  const headers = securityHeaders(config);
  const makePageResponse = pageResponder(services);
  const gate = createReadingGate(services, guestRefuser(makePageResponse, services));
  const sendNotFound = unknownRouteHandler(gate, notFoundSender(makePageResponse));
  const app: App = Fastify<Server>({
    logger,
    // Each response has a random id, so that a problem report can be matched with the log.
    genReqId: () => randomUUID(),
    // pino creates child loggers faster without the options that Fastify passes by default.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < config.trustProxy,
    bodyLimit: bodyLimitBytes,
    schemaController: { compilersFactory: { buildSerializer: lazySerializers } },
    ...connectionTimeouts,
    forceCloseConnections: 'idle',
    // Serve requests during the lame-duck period.
    return503OnClosing: false,
    // As long as a request line may be: for longer parameters, Fastify responds without running hooks.
    routerOptions: { maxParamLength: 16 * 1024 },
    clientErrorHandler: respondToBadRequest(headers),
    rewriteUrl: ({ url }) => toRoutable(url ?? '/'),
  }).withTypeProvider<TypeBoxTypeProvider>();
  services.live.onProblem = (err) => app.log.warn({ err }, 'not listening to other processes');
  const closing = gracefulShutdown(app, lameDuck);
  app.setValidatorCompiler(lazyValidators);
  app.setErrorHandler(handleError);
  app.decorateRequest('session', null);
  app.decorateRequest('reader', null);

  limitConnections(app, config);
  handleEveryRequest(app, { headers, config });
  await refuseWhenOverloaded(app);
  acceptJson(app);
  await app.register(cors, {
    origin: config.corsOrigins.length > 0 ? config.corsOrigins : false,
    credentials: true,
    // Fastify would reject a strict preflight in English plain text.
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'ETag',
      'Location',
      'Retry-After',
      'Tus-Resumable',
      'Upload-Offset',
      'Upload-Length',
    ],
  });
  limitAnswersAtOnce(app, config);
  applyRouteTable(app, services, gate);
  const { publicUrl } = config;
  addApiDocs(app, { publicUrl, deviceCookieName: deviceCookieName(publicUrl) });

  if (metrics) {
    recordRequests(app, metrics, services.pool);
    metrics.watchBackups(services.health.readLastBackup);
    if (config.mail) metrics.watchMails(() => countWaiting(services.db));
  }
  const passwordTries = createPasswordTries(services);
  signInRoutes(app, services, passwordTries);
  resumeRoutes(app, services);
  sessionRoutes(app, services);
  settingsRoutes(app, services);
  recoveryRoutes(app, services, passwordTries);
  passkeyRoutes(app, services);
  exportRoutes(app, services);
  deletionRoutes(app, services);
  channelRoutes(app, services);
  commentRoutes(app, services);
  eventRoutes(app, services);
  pollRoutes(app, services);
  documentRoutes(app, services);
  announcementRoutes(app, services);
  pendingRoutes(app, services);
  personRoutes(app, services);
  readingRoutes(app, services);
  newsRoutes(app, services);
  notificationSettingsRoutes(app, services);
  confirmRoutes(app, services);
  pushRoutes(app, services);
  unsubscribeRoutes(app, services);
  rsvpRoutes(app, services);
  claimRoutes(app, services);
  withdrawRoutes(app, services);
  calendarFileRoutes(app, services);
  posterRoutes(app, services);
  moderationRoutes(app, services);
  siteSettingsRoutes(app, services);
  invitationRoutes(app, services);
  mailedInvitationRoutes(app, services);
  movingInRoutes(app, services);
  const searches = openSearch(services);
  searchRoutes(app, searches);
  uploadRoutes(app, { ...services, metrics });
  fileRoutes(app, services);
  liveRoutes(app, { ...services, metrics, gate });
  healthRoutes(app, services, closing);

  azulejoRoutes(app);
  installRoutes(app, services);
  feedRoutes(app, services);
  crawlerRoutes(app, services);
  pageRoutesOf(app, { ...services, searches }, makePageResponse);
  await serveStaticFiles(app);
  app.setNotFoundHandler(sendNotFound);
  return app;
}
