// As fast as Node answers over HTTP here: ten kilobytes, always the same, nothing looked at.
import { createServer } from 'node:http';

const body = Buffer.alloc(10_000, 'a');

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
