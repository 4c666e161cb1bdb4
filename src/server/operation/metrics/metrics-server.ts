import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { InUse, type OperatorError } from '../../system/operator-error.ts';
import { type Config, ConfigError } from '../../system/settings/config.ts';
import type { Metrics } from './metrics.ts';

/** Refuses pipelined requests, which could pile up large responses. */
const maxRequestsPerSocket = 1;
const maxConnections = 50;
const maxHeaderSize = 8192;
/** Time limit for receiving a whole request. */
const requestTimeoutMs = 2000;
/** Maximum time without traffic; exceeds the 5 s that collecting the metrics may take. */
const idleTimeoutMs = 10_000;

/**
 * Serves only `/metrics`, at METRICS_HOST and METRICS_PORT. Its own port keeps a proxy in front of the
 * site from publishing it.
 * @returns undefined when METRICS is off
 * @throws InUse when another program listens there; ConfigError when it cannot listen for another reason
 */
export async function serveMetrics(
  config: Pick<Config, 'metrics'>,
  metrics: Pick<Metrics, 'render' | 'contentType'>,
  log: FastifyBaseLogger,
): Promise<Server | undefined> {
  if (!config.metrics) return undefined;
  const { host, port } = config.metrics;
  let rendering: Promise<string> | undefined;
  const renderShared = () => {
    rendering ??= metrics.render().finally(() => {
      rendering = undefined;
    });
    return rendering;
  };
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 500,
    },
    async ({ method, url }, response) => {
      response.shouldKeepAlive = false;
      response
        .setHeader('cache-control', 'no-store')
        .setHeader('x-content-type-options', 'nosniff');
      if (url !== '/metrics') return void response.writeHead(404).end();
      if (method !== 'GET' && method !== 'HEAD') {
        return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
      }
      try {
        const text = await renderShared();
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
      } catch (error) {
        log.warn({ err: error }, 'the metrics could not be collected');
        response.writeHead(503, { 'retry-after': '5' }).end();
      }
    },
  );
  Object.assign(server, { maxRequestsPerSocket, maxConnections, timeout: idleTimeoutMs });
  await once(server.listen({ host, port }), 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenFailure(error, `${host}, port ${port}`);
  });
  const { address, family, port: listening } = server.address() as AddressInfo;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  log.info(`metrics are at http://${shown}:${listening}/metrics`);
  return server;
}

function listenFailure({ code, message }: NodeJS.ErrnoException, address: string): OperatorError {
  return code === 'EADDRINUSE'
    ? new InUse(
        `Another program listens at ${address}, where the metrics should be. Stop it, or set METRICS_PORT.`,
      )
    : new ConfigError([
        `The metrics cannot be served at ${address} (${message}). Set METRICS_HOST to an address of this machine, and METRICS_PORT to a port from 1024 on.`,
      ]);
}
