// Answers every request with a copy of one response of another server, from a bare `node:http` server: the highest
// rate that a cached response could reach.
//
//   node bench/bare-server.ts <url of the response>
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const [url = ''] = process.argv.slice(2);
const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
get(url, { headers }, async (response) => {
  const body = await buffer(response);
  const { statusCode = 200, rawHeaders } = response;
  const server = createServer((_request, reply) => {
    reply.writeHead(statusCode, rawHeaders).end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    console.log(`tertulia is at http://127.0.0.1:${port}`);
  });
});
