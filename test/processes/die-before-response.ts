import { ServerResponse } from 'node:http';

// Preloaded into a server. Kills it after it has stored a comment or an upload, and before it responds.
const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...head: [number]) {
  const isWrite = this.req.method === 'PUT' || this.req.method === 'PATCH';
  if (isWrite && head[0] === 200) process.kill(process.pid, 'SIGKILL');
  return writeHead.apply(this, head);
} as typeof writeHead;
