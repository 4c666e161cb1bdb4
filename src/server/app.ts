import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyHttpOptions, LogController } from 'fastify';
import { accountRoutes } from './accounts/account-routes.ts';
import { channelRoutes } from './channels/channel-routes.ts';
import { commentRoutes } from './comments/comment-routes.ts';
import type { Deps } from './deps.ts';
import { handleError } from './error-handler.ts';
import type { App } from './http/app-type.ts';
import { respondToBadRequest } from './http/bad-requests.ts';
import { connectionTimeouts, limitConnections } from './http/connections.ts';
import { addJsonParser } from './http/json-body.ts';
import { createLimits } from './http/rate-limits.ts';
import { refuseInvalidHosts } from './http/request-host.ts';
import { addRequestLog } from './http/request-log.ts';
import { toRoutable } from './http/request-target.ts';
import { addSecurityHeaders, securityHeaders } from './http/security-headers.ts';
import { serveStaticFiles } from './http/static-files.ts';
import { answerUnknown, refuseNul, refuseOtherMethods } from './http/unknown-routes.ts';
import { fileRoutes } from './images/file-routes.ts';
import { liveRoutes } from './live/live-routes.ts';
import { addApiDocs } from './operations/api-docs.ts';
import { gracefulShutdown } from './operations/graceful-shutdown.ts';
import { healthRoutes } from './operations/health-routes.ts';
import { metricsRoutes } from './operations/metrics-routes.ts';
import { shedOverload } from './operations/overload.ts';
import { notFoundSender, pageMaker, pageRoutesOf } from './pages/page-routes.ts';
import { uploadRoutes } from './uploads/upload-routes.ts';

/** A comment of 10,000 characters, each escaped as a pair of surrogates, and room to spare. */
const bodyLimitBytes = 256 * 1024;

type LoggerOption = NonNullable<FastifyHttpOptions<Server>['logger']>;

/**
 * The whole server, wired. It listens to nothing and reads no environment.
 * @param lameDuckMs how long it still takes everything once it is asked to close
 */
export async function buildApp(
  deps: Deps,
  logger: LoggerOption = false,
  lameDuckMs = 0,
): Promise<App> {
  const { config } = deps;
  const headers = securityHeaders(config);
  const makePage = pageMaker(deps);
  const answerNotFound = answerUnknown(notFoundSender(makePage));
  const app: App = Fastify<Server>({
    logger,
    // Sent with every response, so that a complaint can be found in the log.
    genReqId: () => randomUUID(),
    // Fastify's own hands over options, which no route here has and with which pino takes its long way.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < config.trustProxy,
    bodyLimit: bodyLimitBytes,
    ...connectionTimeouts,
    // `refuseInvalidHosts` answers in its place, with a body.
    http: { ...connectionTimeouts.http, requireHostHeader: false },
    forceCloseConnections: 'idle',
    // What comes in while it closes is answered like everything else.
    return503OnClosing: false,
    // No request line that Node takes is longer: Fastify would answer it without running a hook.
    routerOptions: { maxParamLength: 16 * 1024 },
    clientErrorHandler: respondToBadRequest(headers),
    rewriteUrl: ({ url }) => toRoutable(url ?? '/'),
  }).withTypeProvider<TypeBoxTypeProvider>();
  const closing = gracefulShutdown(app, lameDuckMs);
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.setErrorHandler(handleError);
  app.decorateRequest('session', null);

  limitConnections(app, config);
  addRequestLog(app);
  addSecurityHeaders(app, headers);
  refuseInvalidHosts(app);
  await shedOverload(app, config);
  refuseNul(app, answerNotFound);
  addJsonParser(app);
  await app.register(cors, {
    origin: config.corsOrigins.length > 0 ? config.corsOrigins : false,
    credentials: true,
    // It would answer in plain English text.
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['Location', 'Retry-After', 'Tus-Resumable', 'Upload-Offset', 'Upload-Length'],
  });
  addApiDocs(app);
  const refuseTheRest = refuseOtherMethods(app);

  metricsRoutes(app, deps);
  const limit = createLimits(deps);
  accountRoutes(app, deps, limit);
  channelRoutes(app, deps, limit);
  commentRoutes(app, deps, limit);
  uploadRoutes(app, deps, limit);
  fileRoutes(app, deps);
  liveRoutes(app, deps);
  healthRoutes(app, deps, closing);

  pageRoutesOf(app, deps, makePage);
  await serveStaticFiles(app);
  app.setNotFoundHandler(answerNotFound);
  refuseTheRest();
  return app;
}
