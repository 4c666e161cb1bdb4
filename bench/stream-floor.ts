// As little as a silent stream of events costs with Node's own HTTP server.
import { createServer } from 'node:http';

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 2000\n\n');
}).listen(Number(process.env.PORT), '127.0.0.1');
